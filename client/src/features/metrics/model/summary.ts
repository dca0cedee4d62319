import type { DateRange } from '@/lib/date-range'
import { type Metrics, within } from './day'
import { type MetricKey, metrics } from './metric'
import { rangeBefore } from './period'

/** A figure of some dates, and of as many days before (METRICS-19). */
export type Comparison = { key: MetricKey; current: number | null; previous: number | null }

/** The summary of some figures. `read` must hold the days of the range and as many before. */
export function summaryOf(
  keys: readonly MetricKey[],
  read: Metrics,
  range: DateRange,
): Comparison[] {
  const current = within(read, range)
  const previous = within(read, rangeBefore(range))
  return keys.map((key) => ({
    key,
    current: metrics[key].total(current),
    previous: metrics[key].total(previous),
  }))
}
