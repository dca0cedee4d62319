import { dayText, rangeText } from '@/lib/date-range'
import { formatMinutes } from '@/lib/time'
import type { RevenuePeriod } from './figures'
import type { Bucket } from './view'

/** A period in full: '1 – 30 Nov 2026' is a part of November when the dates end before it does. */
export function periodText({ starts, ends }: RevenuePeriod): string {
  return rangeText({ first: starts, last: ends })
}

/** A period at an axis: '23 Nov', 'Nov', '2026'; January has the year that it begins. */
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

/** '92%' or '92.5%'; what is not all is never rounded up to it. */
export function percentText(percent: number): string {
  const rounded = Math.round(percent * 10) / 10
  return `${rounded === 100 && percent < 100 ? 99.9 : rounded}%`
}
