import { describe, expect, it } from 'vitest'
import {
  addDays,
  formatDay,
  formatDuration,
  formatMinutes,
  formatMoment,
  marketDays,
  parseTime,
  startOfWeek,
  wallClock,
  zoneOf,
} from './time'

describe('a wall clock', () => {
  it('shows summer and winter time on either side of the change', () => {
    expect(wallClock(new Date('2026-10-25T00:30:00Z'), 'Europe/Madrid').minutes).toBe(2 * 60 + 30)
    expect(wallClock(new Date('2026-10-25T01:30:00Z'), 'Europe/Madrid').minutes).toBe(2 * 60 + 30)
    expect(wallClock(new Date('2026-03-29T01:00:00Z'), 'Europe/Madrid').minutes).toBe(3 * 60)
  })
  it('is an hour behind on the Canary Islands, also across midnight', () => {
    const at = new Date('2026-11-20T23:30:00Z')
    expect(wallClock(at, 'Europe/Madrid')).toEqual({
      date: '2026-11-21',
      weekday: 'saturday',
      minutes: 30,
    })
    expect(wallClock(at, 'Atlantic/Canary')).toEqual({
      date: '2026-11-20',
      weekday: 'friday',
      minutes: 23 * 60 + 30,
    })
  })
})

it('it is two days in the market between the midnights of Madrid and the Canary Islands', () => {
  const one = { first: '2026-11-30', last: '2026-11-30' }
  expect(marketDays(new Date('2026-11-30T22:59:00Z'))).toEqual(one)
  expect(marketDays(new Date('2026-11-30T23:00:00Z'))).toEqual({ ...one, last: '2026-12-01' })
  expect(marketDays(new Date('2026-07-15T22:59:00Z')).first).toBe('2026-07-15')
  expect(marketDays(new Date('2026-07-15T23:00:00Z')).first).toBe('2026-07-16')
})

it('knows the zone of a place', () => {
  expect(zoneOf('Triana, Las Palmas')).toBe('Atlantic/Canary')
  expect(zoneOf('Sant Julià de Lòria')).toBe('Europe/Andorra')
  expect(zoneOf('Palma')).toBe('Europe/Madrid')
})

it('counts days over months, years and the change of the clock', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(startOfWeek('2026-11-29')).toBe('2026-11-23')
  expect(startOfWeek('2026-11-23')).toBe('2026-11-23')
})

it('reads and writes times', () => {
  expect(['09:00', '9:05', '17:30:00', '24:00'].map(parseTime)).toEqual([540, 545, 1050, 1440])
  expect(['', '24:30', '12:60', 'noon'].map(parseTime)).toEqual([null, null, null, null])
  expect([0, 545, 1440, 1500].map(formatMinutes)).toEqual(['00:00', '09:05', '00:00', '01:00'])
})

it('says dates and durations in words', () => {
  expect(formatDay('2026-11-25')).toBe('Wed 25 Nov')
  expect(formatDay('2026-11-25', 'long')).toBe('Wednesday 25 November 2026')
  expect(formatMoment(new Date('2026-11-25T10:00:00Z'), 'Europe/Madrid')).toBe('Wed 25 Nov, 11:00')
  expect([30, 60, 95].map(formatDuration)).toEqual(['30 min', '1 h', '1 h 35 min'])
})
