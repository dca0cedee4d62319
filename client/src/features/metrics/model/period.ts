import { type DateRange, daysOf } from '@/lib/date-range'
import { addDays } from '@/lib/time'

/** How many days are looked at (METRICS-14). */
export const periods = ['7', '30', '90'] as const
export type Period = (typeof periods)[number]

export const defaultPeriod = '30' satisfies Period

/** The days of a period; it ends today. */
export function periodRange(period: Period, today: string): DateRange {
  return { first: addDays(today, 1 - Number(period)), last: today }
}

/** As many days before some dates. The summary compares with them, whatever period is chosen (C-61). */
export function rangeBefore(range: DateRange): DateRange {
  return { first: addDays(range.first, -daysOf(range)), last: addDays(range.first, -1) }
}
