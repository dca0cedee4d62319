import { type DateRange, daysOf } from '@/lib/date-range'
import { addDays } from '@/lib/time'

/** The selectable periods in days (METRICS-14). */
export const periods = ['7', '30', '90'] as const
export type Period = (typeof periods)[number]

export const defaultPeriod = '30' satisfies Period

/** Returns the days of a period, which ends today. */
export function periodRange(period: Period, today: string): DateRange {
  return { first: addDays(today, 1 - Number(period)), last: today }
}

/**
 * Returns the previous range of the same length. The summary compares with it for every period
 * (C-61).
 */
export function rangeBefore(range: DateRange): DateRange {
  return { first: addDays(range.first, -daysOf(range)), last: addDays(range.first, -1) }
}
