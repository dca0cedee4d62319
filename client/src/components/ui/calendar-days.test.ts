import { expect, it } from 'vitest'
import { addMonths, dayForKey, monthWeeks } from './calendar-days'

it('shows whole weeks from Monday to Sunday', () => {
  const weeks = monthWeeks('2026-11')
  expect(weeks[0]?.[0]).toBe('2026-10-26')
  expect(weeks.at(-1)?.[6]).toBe('2026-12-06')
  expect(weeks.every((week) => week.length === 7)).toBe(true)
})

it('shows four weeks for a February that begins on a Monday', () => {
  expect(monthWeeks('2027-02')).toHaveLength(4)
})

it('walks by day, week and month with the keys of the grid pattern', () => {
  expect(dayForKey('ArrowRight', '2026-11-30')).toBe('2026-12-01')
  expect(dayForKey('ArrowUp', '2026-11-03')).toBe('2026-10-27')
  expect(dayForKey('Home', '2026-11-25')).toBe('2026-11-23')
  expect(dayForKey('End', '2026-11-25')).toBe('2026-11-29')
  expect(dayForKey('PageDown', '2026-12-31')).toBe('2027-01-01')
  expect(dayForKey('a', '2026-11-25')).toBeNull()
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-01')
})
