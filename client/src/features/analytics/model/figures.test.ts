import { describe, expect, it } from 'vitest'
import { changeOf } from '@/lib/change'
import { rangeText } from '@/lib/date-range'
import { changeText } from '@/lib/figure-text'
import { revenueChart, servicesChart } from './chart'
import { averageOf, busiestHour, highest, hoursOf, percentOf, rateGrade } from './figures'
import { hourText, percentText, periodMark, periodText } from './words'

describe('figures', () => {
  it.each([
    [100, 'good'],
    [90, 'good'],
    [89.99, 'fair'],
    [70, 'fair'],
    [69.99, 'poor'],
    [0, 'poor'],
  ] as const)('METRICS-07: a completion rate of %d is %s', (percent, grade) => {
    expect(rateGrade(percent)).toBe(grade)
  })

  it('has a rate and an average of nothing', () => {
    expect(percentOf(3, 4)).toBe(75)
    expect(percentOf(0, 0)).toBe(0)
    expect(averageOf({ bookings: 3, completed: 2, cancelled: 0, revenue: 45 })).toBe(22.5)
    expect(averageOf({ bookings: 3, completed: 0, cancelled: 3, revenue: 0 })).toBe(0)
  })

  it('METRICS-05: has 24 hours, of all days or of one', () => {
    const counts = [
      { weekday: 1, hour: 9, bookings: 2 },
      { weekday: 7, hour: 9, bookings: 3 },
      { weekday: 7, hour: 23, bookings: 4 },
    ]
    const all = hoursOf(counts, null)
    expect(all).toHaveLength(24)
    expect([all[9], all[23], all[0]]).toEqual([5, 4, 0])
    expect(hoursOf(counts, 'monday')[9]).toBe(2)
    expect(hoursOf(counts, 'sunday')[9]).toBe(3)
    expect(busiestHour(all)).toBe(9)
    expect(busiestHour(hoursOf(counts, 'sunday'))).toBe(23)
    expect(busiestHour(hoursOf(counts, 'tuesday'))).toBeNull()
  })

  it('finds the highest, the first of equals, and none where all are 0', () => {
    const list = [{ n: 1 }, { n: 4, a: 1 }, { n: 4 }]
    expect(highest(list, ({ n }) => n)).toBe(list[1])
    expect(highest([{ n: 0 }], ({ n }) => n)).toBeUndefined()
    expect(highest([], () => 1)).toBeUndefined()
  })

  it.each([
    [0, 0, 0, 'stable'],
    [0, 3, 100, 'up'],
    [10, 0, -100, 'down'],
    [100, 105, 5, 'stable'],
    [100, 106, 6, 'up'],
    [100, 95, -5, 'stable'],
    [100, 94, -6, 'down'],
  ] as const)(
    'METRICS-20 METRICS-21: from %d to %d is %d percent, %s',
    (before, now, percent, trend) => {
      expect(changeOf(before, now)).toEqual({ percent, trend })
    },
  )

  it('METRICS-04: splits the bookings of a service into past, upcoming and cancelled', () => {
    const service = {
      key: 'a',
      name: 'Cut',
      bookings: 10,
      pending: 1,
      confirmed: 2,
      completed: 3,
      cancelled: 4,
      revenue: 60,
    }
    expect(servicesChart([service]).rows).toEqual([
      { name: 'Cut', values: { completed: 3, open: 3, cancelled: 4 } },
    ])
  })

  it('METRICS-02: names weeks, months and years', () => {
    const period = { starts: '2026-11-02', ends: '2026-11-08', completed: 1, revenue: 20 }
    expect(revenueChart([period], 'week').rows).toEqual([
      { name: '2 Nov – 8 Nov 2026', short: '2 Nov', values: { revenue: 20 } },
    ])
    expect(periodMark(period, 'month')).toBe('Nov')
    expect(periodMark({ ...period, starts: '2027-01-01' }, 'month')).toBe('Jan 2027')
    expect(periodMark(period, 'year')).toBe('2026')
    expect(periodText({ ...period, starts: '2025-12-29', ends: '2026-01-04' })).toBe(
      '29 Dec 2025 – 4 Jan 2026',
    )
  })

  it('says dates, hours and percents in words', () => {
    expect(rangeText({ first: '2026-11-23', last: '2026-11-23' })).toBe('23 Nov 2026')
    expect(hourText(9)).toBe('09:00–10:00')
    expect(hourText(23)).toBe('23:00–00:00')
    expect([12.5, 0.04, 0, -0.04, -3].map(changeText)).toEqual([
      '+12.5%',
      '0.0%',
      '0.0%',
      '0.0%',
      '-3.0%',
    ])
    expect([75, 33.333, 99.99, 100, -12.04].map(percentText)).toEqual([
      '75%',
      '33.3%',
      '99.9%',
      '100%',
      '-12%',
    ])
  })
})
