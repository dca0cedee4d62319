import { describe, expect, it } from 'vitest'
import { daysOf } from '@/lib/date-range'
import { wallClock } from '@/lib/time'
import { readAddress, writeAddress } from './address'
import { customRange, maxDays, presetRange, presets, sixMonths } from './range'

describe('METRICS-08: date ranges', () => {
  it.each([
    ['last-7', '2026-11-23', '2026-11-17', '2026-11-23'],
    ['last-30', '2026-11-23', '2026-10-25', '2026-11-23'],
    ['last-90', '2026-11-23', '2026-08-26', '2026-11-23'],
    ['this-month', '2026-11-23', '2026-11-01', '2026-11-23'],
    ['this-month', '2026-12-01', '2026-12-01', '2026-12-01'],
    ['last-month', '2026-11-23', '2026-10-01', '2026-10-31'],
    ['last-month', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['last-month', '2027-01-15', '2026-12-01', '2026-12-31'],
    ['this-year', '2026-11-23', '2026-01-01', '2026-11-23'],
  ] as const)('%s on %s is %s to %s', (preset, today, first, last) => {
    expect(presetRange(preset, today)).toEqual({ first, last })
  })

  it('counts days over the change to summer time', () => {
    expect(daysOf({ first: '2026-03-28', last: '2026-03-30' })).toBe(3)
    expect(daysOf(presetRange('last-30', '2026-04-05'))).toBe(30)
  })

  it('has its own today for each zone', () => {
    const at = new Date('2026-11-30T23:30:00Z')
    const range = (zone: 'Europe/Madrid' | 'Atlantic/Canary') =>
      presetRange('this-month', wallClock(at, zone).date)
    expect(range('Europe/Madrid')).toEqual({ first: '2026-12-01', last: '2026-12-01' })
    expect(range('Atlantic/Canary')).toEqual({ first: '2026-11-01', last: '2026-11-30' })
  })

  it('METRICS-03: the last six months begin with a month, also over a new year', () => {
    expect(sixMonths('2026-11-23')).toEqual({ first: '2026-06-01', last: '2026-11-23' })
    expect(sixMonths('2027-02-28')).toEqual({ first: '2026-09-01', last: '2027-02-28' })
  })

  it.each([
    ['2026-11-01', '2026-11-23', true],
    ['2026-11-23', '2026-11-23', true],
    ['2026-11-24', '2026-11-23', false],
    ['2026-02-30', '2026-03-23', false],
    ['1999-12-31', '2000-01-02', false],
    ['2026-11-01', 'tomorrow', false],
    [null, '2026-11-01', false],
    ['2021-11-20', '2026-11-23', true],
    ['2021-11-19', '2026-11-23', false],
  ])('takes %s to %s: %s', (first, last, isTaken) => {
    const range = customRange(first, last)
    expect(range !== null).toBe(isTaken)
    if (range) expect(daysOf(range)).toBeLessThanOrEqual(maxDays)
  })
})

describe('the address', () => {
  const today = '2026-11-23'
  const read = (search: string) => readAddress(new URLSearchParams(search), today)

  it('is as at first where it says nothing, or what is not known', () => {
    const first = {
      view: 'overview',
      preset: 'last-30',
      range: { first: '2026-10-25', last: today },
      bucket: 'week',
      weekday: null,
    }
    expect(read('')).toEqual(first)
    expect(read('view=x&range=y&by=day&weekday=noday')).toEqual(first)
    expect(read('range=custom&from=2026-11-02&to=2026-11-01')).toEqual(first)
    expect(writeAddress(read(''))).toEqual({})
  })

  it.each(presets)('leads back to itself with %s', (preset) => {
    const search = `view=revenue&range=${preset}&from=2026-01-05&to=2026-02-06&by=year&weekday=friday`
    const address = read(search)
    expect(address.preset).toBe(preset)
    expect(readAddress(new URLSearchParams(writeAddress(address)), today)).toEqual(address)
    if (preset === 'custom') {
      expect(address.range).toEqual({ first: '2026-01-05', last: '2026-02-06' })
    }
  })
})
