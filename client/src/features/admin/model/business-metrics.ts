import { addDays } from '@/lib/time'
import type { ListKind } from './list'

/** The sub-tabs (ADMIN-METRICS-02), as named in the URL. */
export const metricParts = ['overview', 'top', 'analytics'] as const
export type MetricPart = (typeof metricParts)[number]

/** The months whose best businesses are listed. */
export const topMonths = ['this', 'last', 'three'] as const
export type TopMonths = (typeof topMonths)[number]

/** The metrics by which the best are listed (ADMIN-METRICS-03), in order. */
export const topMetrics = [
  'pageViews',
  'searches',
  'bookings',
  'leads',
  'bookmarks',
  'reviews',
  'rating',
] as const
export type TopMetric = (typeof topMetrics)[number]

/** A business with its newest figures. */
export type AdminMetrics = {
  id: string
  name: string
  display_id: string
  owner_id: string | null
  metric_date: string
  num_total_page_views: number
  online_bookings: number
  total_leads: number
  rating: number | null
}

export type TopBusiness = {
  metric: string
  place: number
  business_id: string
  name: string
  figure: number
}

/** The list of businesses; the open row shows the detailed metrics of its business. */
export const metricsList: ListKind = {
  tab: 'metrics',
  filters: ['part', 'days', 'months'],
  sorts: [
    'name',
    'metric_date',
    'num_total_page_views',
    'online_bookings',
    'total_leads',
    'rating',
  ],
  defaultSort: { key: 'metric_date', descending: true },
}

function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** Returns the first days of the first and the last month. */
export function monthRange(months: TopMonths, today: string): { first: string; last: string } {
  const current = monthOf(today)
  const previous = monthOf(addDays(current, -1))
  if (months === 'this') return { first: current, last: current }
  if (months === 'last') return { first: previous, last: previous }
  return { first: monthOf(addDays(previous, -1)), last: current }
}

/** Returns the best businesses by a metric, in order. */
export function bestBy(metric: TopMetric, all: readonly TopBusiness[]): TopBusiness[] {
  return all.filter((one) => one.metric === metric).toSorted((a, b) => a.place - b.place)
}
