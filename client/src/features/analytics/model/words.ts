import { dayText, rangeText } from '@/lib/date-range'
import { formatMinutes } from '@/lib/time'
import type { RevenuePeriod } from './figures'
import type { Bucket } from './view'

/**
 * Formats a period in full, such as '1 – 30 Nov 2026'; it is a part of November if the date range
 * ends earlier.
 */
export function periodText({ starts, ends }: RevenuePeriod): string {
  return rangeText({ first: starts, last: ends })
}

/** Formats a period for an axis: '23 Nov', 'Nov', '2026'; January is labelled with its year. */
export function periodMark({ starts }: RevenuePeriod, bucket: Bucket): string {
  if (bucket === 'year') return starts.slice(0, 4)
  if (bucket === 'week') return dayText(starts, { day: 'numeric', month: 'short' })
  return dayText(starts, {
    month: 'short',
    ...(starts.slice(5, 7) === '01' && { year: 'numeric' }),
  })
}

/** '09:00–10:00'. */
export function hourText(hour: number): string {
  return `${formatMinutes(hour * 60)}–${formatMinutes(hour * 60 + 60)}`
}

/** Formats a percentage: '92%' or '92.5%'; less than all is never rounded up to 100. */
export function percentText(percent: number): string {
  const rounded = Math.round(percent * 10) / 10
  return `${rounded === 100 && percent < 100 ? 99.9 : rounded}%`
}
