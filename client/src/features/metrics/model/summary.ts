import type { DateRange } from '@/lib/date-range'
import { type Metrics, within } from './day'
import { type MetricKey, metrics } from './metric'
import { rangeBefore } from './period'

/** A figure of a period, and of the previous one (METRICS-19). */
export type Comparison = { key: MetricKey; current: number | null; previous: number | null }

/**
 * Returns the summary of some figures. `read` must contain the days of the range and of the
 * previous one.
 */
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
