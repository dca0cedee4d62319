import { type DateRange, daysOf } from '@/lib/date-range'
import { addDays } from '@/lib/time'
import type { Database } from '@/types/database.gen'

type Tables = Database['public']['Tables']
type Unread = 'business_id'

/** A day's actions of visitors and customers at a business; days without any have no row. */
export type BusinessDay = Omit<
  Tables['business_metrics']['Row'],
  // Plaza has no collections, and the column is always 0.
  Unread | 'collection_item_added'
>

/** A day's results of a promoted place. */
export type AdvertiserDay = Omit<
  Tables['advertiser_metrics']['Row'],
  // Both are computed from the other columns, for one day or many.
  Unread | 'ad_click_through_rate' | 'average_cost_per_click'
>

export type Metrics = { business: readonly BusinessDay[]; advertiser: readonly AdvertiserDay[] }

/** Returns the days within a range. */
export function within({ business, advertiser }: Metrics, { first, last }: DateRange): Metrics {
  const isInside = ({ metric_date }: { metric_date: string }) =>
    first <= metric_date && metric_date <= last
  return { business: business.filter(isInside), advertiser: advertiser.filter(isInside) }
}

/** Returns each day of a range in order, including days without a row. */
export function eachDay(metrics: Metrics, range: DateRange): { date: string; metrics: Metrics }[] {
  return Array.from({ length: daysOf(range) }, (_, index) => {
    const date = addDays(range.first, index)
    return { date, metrics: within(metrics, { first: date, last: date }) }
  })
}

export function isEmpty({ business, advertiser }: Metrics): boolean {
  return business.length === 0 && advertiser.length === 0
}
