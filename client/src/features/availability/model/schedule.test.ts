import { expect, it } from 'vitest'
import { isOutside } from './opening'
import {
  addSlot,
  canAddSlot,
  type DaySchedule,
  defaultSchedule,
  endTimes,
  parseSchedule,
  problemOf,
  removeSlot,
  setOpen,
  setSlot,
  sorted,
  startTimes,
} from './schedule'

const day = (...slots: [string, string][]): DaySchedule => ({
  isOpen: slots.length > 0,
  slots: slots.map(([start, end]) => ({ start, end })),
})

it('METRICS-27: times in steps of 30 minutes, from 00:00 to 23:30', () => {
  expect(startTimes).toHaveLength(48)
  expect([startTimes[0], startTimes[1], startTimes.at(-1)]).toEqual(['00:00', '00:30', '23:30'])
  expect([endTimes[0], endTimes.at(-1)]).toEqual(['00:30', '24:00'])
})

it('METRICS-28: an opened day gets 09:00 to 17:00, a closed one loses its slots', () => {
  expect(setOpen(day(), true)).toEqual(day(['09:00', '17:00']))
  expect(setOpen(day(['10:00', '11:00']), true)).toEqual(day(['10:00', '11:00']))
  expect(setOpen(day(['10:00', '11:00']), false)).toEqual(day())
})

it('METRICS-29: an open day keeps its last slot', () => {
  const one = day(['09:00', '17:00'])
  expect(removeSlot(one, 0)).toBe(one)
  expect(removeSlot(day(['09:00', '10:00'], ['11:00', '12:00']), 0)).toEqual(
    day(['11:00', '12:00']),
  )
})

it('METRICS-30: Monday to Friday 09:00 to 17:00 by default', () => {
  expect(defaultSchedule.monday).toEqual(day(['09:00', '17:00']))
  expect(defaultSchedule.friday).toEqual(day(['09:00', '17:00']))
  expect([defaultSchedule.saturday, defaultSchedule.sunday]).toEqual([day(), day()])
})

it('a slot is added after the last while the day has room', () => {
  expect(addSlot(day(['09:00', '13:00']))).toEqual(day(['09:00', '13:00'], ['13:00', '14:00']))
  expect(addSlot(day(['09:00', '23:30']))).toEqual(day(['09:00', '23:30'], ['23:30', '24:00']))
  expect(canAddSlot(day(['09:00', '24:00']))).toBe(false)
})

it('distinguishes slots that end too early from overlapping ones', () => {
  expect(problemOf(day(['09:00', '09:00']))).toBe('order')
  expect(problemOf(day(['12:00', '14:00'], ['09:00', '12:30']))).toBe('overlap')
  expect(problemOf(day(['12:00', '24:00'], ['09:00', '12:00']))).toBeNull()
  expect(problemOf(setSlot(day(['09:00', '10:00']), 0, { end: '08:00' }))).toBe('order')
})

it('a stored week is read with suspicion and written in order', () => {
  expect(parseSchedule([])).toBeNull()
  const week = parseSchedule([
    { weekday: 'monday', is_open: true, slots: [{ start: '09:00', end: '10:00' }, 'x'] },
    { weekday: 'tuesday', is_open: true, slots: null },
  ])
  expect(week?.monday).toEqual(day(['09:00', '10:00']))
  expect(week?.tuesday).toEqual(day())
  const mixed = { ...defaultSchedule, monday: day(['12:00', '13:00'], ['09:00', '10:00']) }
  expect(sorted(mixed).monday).toEqual(day(['09:00', '10:00'], ['12:00', '13:00']))
})

it('METRICS-32: compares a schedule with the opening hours, also past midnight', () => {
  const hours = { monday: { open: '20:00', close: '02:00' }, tuesday: null }
  expect(isOutside(day(['20:00', '24:00']), 'monday', hours)).toBe(false)
  expect(isOutside(day(['19:30', '21:00']), 'monday', hours)).toBe(true)
  expect(isOutside(day(['00:00', '02:00']), 'tuesday', hours)).toBe(false)
  expect(isOutside(day(['00:00', '02:30']), 'tuesday', hours)).toBe(true)
  expect(isOutside(day(['09:00', '10:00']), 'wednesday', hours)).toBe(true)
  expect(isOutside(day(['09:00', '10:00']), 'wednesday', null)).toBe(false)
})
