import { describe, expect, it } from 'vitest'
import {
  addAmenity,
  customAmenities,
  readAmenities,
  suggestedAmenities,
  toggleAmenity,
} from './amenities'
import { copyDay, dayNote, defaultWeek, readHoursText, readWeek, timeOptions } from './week'

describe('OWNER-16 OWNER-17 OWNER-18: a week', () => {
  it('is open from Monday to Friday unless it says otherwise', () => {
    expect(defaultWeek.friday).toEqual({ open: '09:00', close: '17:00', isOpen: true })
    expect(defaultWeek.saturday.isOpen).toBe(false)
  })
  it('is read from what is stored; a day that is not named is closed', () => {
    const week = readWeek({
      structured: { monday: { open: '10:15', close: '02:00' }, tuesday: { closed: true } },
    })
    expect(week?.monday).toEqual({ open: '10:15', close: '02:00', isOpen: true })
    expect([week?.tuesday.isOpen, week?.sunday.isOpen]).toEqual([false, false])
  })
  it.each([null, 'Mornings', 7, { structured: [] }])('is none in %j', (stored) => {
    expect(readWeek(stored)).toBeNull()
  })
  it('may be a text', () => {
    expect([readHoursText(' Mornings '), readHoursText({})]).toEqual(['Mornings', ''])
  })
  it('offers steps of half an hour, and the stored time', () => {
    const times = timeOptions('09:00')
    expect([times.length, times[0], times[1], times.at(-1)]).toEqual([
      48,
      '00:00',
      '00:30',
      '23:30',
    ])
    expect(timeOptions('09:10').slice(18, 20)).toEqual(['09:00', '09:10'])
  })
  it.each([
    ['09:00', '17:00', null],
    ['20:00', '02:00', 'overnight'],
    ['00:00', '00:00', 'all-day'],
  ])('%s to %s is %s', (open, close, note) => {
    expect(dayNote({ open, close, isOpen: true })).toBe(note)
    expect(dayNote({ open, close, isOpen: false })).toBeNull()
  })
  it('takes a day over to others', () => {
    const week = { ...defaultWeek, monday: { open: '08:00', close: '12:00', isOpen: true } }
    const opens = (days: typeof week) => Object.values(days).map(({ open }) => open.slice(0, 2))
    expect(opens(copyDay(week, 'monday', 'weekdays')).join(' ')).toBe('08 08 08 08 08 09 09')
    expect(opens(copyDay(week, 'monday', 'all')).join(' ')).toBe('08 08 08 08 08 08 08')
    expect(opens(copyDay(week, 'monday', 'sunday')).join(' ')).toBe('08 09 09 09 09 09 08')
  })
})

describe('OWNER-12 OWNER-13 OWNER-14 OWNER-15: amenities', () => {
  const added = (list: ReturnType<typeof readAmenities>, typed: string) => {
    const result = addAmenity(list, typed)
    return 'problem' in result ? result.problem : result.list.map(({ name }) => name)
  }
  it('are suggested in their categories', () => {
    expect(suggestedAmenities.map(({ category }) => category)).toEqual([
      'connectivity',
      'accessibility',
      'accessibility',
      'policy',
      'comfort',
      'seating',
      'service',
      'service',
      'service',
      'payment',
    ])
  })
  it('are ticked and unticked', () => {
    const one = toggleAmenity([], 'Parking')
    expect(one).toEqual([
      { name: 'Parking', icon: 'parking', category: 'accessibility', available: true },
    ])
    expect(toggleAmenity(one, 'Parking')).toEqual([])
    expect(toggleAmenity([], 'Helipad')).toEqual([])
  })
  it('accepts custom names, each once, case-sensitive', () => {
    const piano = addAmenity([], '  Piano ')
    const list = 'list' in piano ? piano.list : []
    expect(list).toEqual([{ name: 'Piano', icon: 'check', category: 'custom', available: true }])
    expect(added(list, 'Piano')).toBe('double')
    expect(added(list, 'piano')).toEqual(['Piano', 'piano'])
    expect(added(list, '  ')).toBe('empty')
  })
  it('have an end, and a suggestion that is typed stays one', () => {
    const sixty = readAmenities(Array.from({ length: 60 }, (_, at) => ({ name: `A${at}` })))
    expect(added(sixty, 'One more')).toBe('full')
    const typed = addAmenity([], 'Parking')
    expect(customAmenities('list' in typed ? typed.list : [])).toEqual([])
  })
  it('are restored when added again', () => {
    const stored = readAmenities([{ name: 'Piano', available: false }, 7, { icon: 'x' }])
    expect(stored).toHaveLength(1)
    expect(added(stored, 'Piano')).toEqual(['Piano'])
  })
})
