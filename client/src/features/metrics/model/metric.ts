import type { AdvertiserDay, BusinessDay, Metrics } from './day'

/** The unit of a figure. Cents are those of the display currency, percents are of 100. */
export type Unit = 'count' | 'percent' | 'rate' | 'cents' | 'seconds' | 'stars'

type Metric = {
  unit: Unit
  /**
   * Computes the figure for any number of days; null if it is undefined, such as the average of
   * nothing.
   */
  total: (metrics: Metrics) => number | null
}

type CountOf<Row> = { [K in keyof Row]: Row[K] extends number ? K : never }[keyof Row]

function sum<Row extends Record<K, number>, K extends PropertyKey>(rows: readonly Row[], key: K) {
  return rows.reduce((all, row) => all + row[key], 0)
}

function count(key: CountOf<BusinessDay>): Metric {
  return { unit: 'count', total: ({ business }) => sum(business, key) }
}

function adCount(key: CountOf<AdvertiserDay>): Metric {
  return { unit: 'count', total: ({ advertiser }) => sum(advertiser, key) }
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null)
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return values.reduce((all, value) => all + value, 0) / values.length
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1))
}

/** Returns part / whole; null if the whole is 0. */
function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/**
 * A click counts on its own day, even if the list was shown the day before, so the rate is capped
 * at 100.
 */
function clickRate({ advertiser }: Metrics): number | null {
  const rate = ratio(sum(advertiser, 'billed_clicks'), sum(advertiser, 'billed_impressions'))
  return rate === null ? null : Math.min(100, rate * 100)
}

/**
 * All figures. Counts and costs are summed over the days. The reply rate is the mean of the days
 * that have one, the response time their median, so that one bad day does not dominate. The rating
 * is the latest one. Rates of a promotion are computed from the sums: a day with more impressions
 * weighs more.
 */
export const metrics = {
  pageViews: count('num_total_page_views'),
  calls: count('num_calls'),
  directions: count('num_directions_and_map_views'),
  websiteClicks: count('url_clicks'),
  messages: count('num_messages_to_business'),
  bookings: count('online_bookings'),
  bookmarks: count('num_bookmarks'),
  leads: count('total_leads'),
  replyRate: {
    unit: 'percent',
    total: ({ business }) => mean(known(business.map((day) => day.reply_rate))),
  },
  responseTime: {
    unit: 'seconds',
    total: ({ business }) => median(known(business.map((day) => day.median_response_time_in_sec))),
  },
  searches: count('num_search_views'),
  photoViews: count('num_photo_views'),
  photosAdded: count('num_user_photos'),
  checkIns: count('num_check_ins'),
  rating: {
    unit: 'stars',
    total: ({ business }) => known(business.map((day) => day.rating)).at(-1) ?? null,
  },
  reviews: count('reviews'),
  impressions: adCount('billed_impressions'),
  clicks: adCount('billed_clicks'),
  clickRate: { unit: 'rate', total: clickRate },
  adCost: { unit: 'cents', total: ({ advertiser }) => sum(advertiser, 'ad_cost') },
  costPerClick: {
    unit: 'cents',
    total: ({ advertiser }) => ratio(sum(advertiser, 'ad_cost'), sum(advertiser, 'billed_clicks')),
  },
  adCalls: adCount('ad_driven_calls'),
  adReservations: adCount('ad_driven_online_reservations'),
  adMessages: adCount('ad_driven_messages_to_business'),
  adLeads: adCount('ad_driven_total_leads'),
  adPageViews: adCount('ad_driven_biz_page_views'),
} satisfies Record<string, Metric>

export type MetricKey = keyof typeof metrics

/** The ten figures in the summary of a business (METRICS-18, C-62). */
export const businessSummary = [
  'pageViews',
  'calls',
  'directions',
  'websiteClicks',
  'messages',
  'bookings',
  'bookmarks',
  'leads',
  'replyRate',
  'responseTime',
] as const satisfies readonly MetricKey[]

/** The nine figures in the summary of its promotion (METRICS-18, C-62). */
export const advertiserSummary = [
  'impressions',
  'clicks',
  'clickRate',
  'adCost',
  'costPerClick',
  'adCalls',
  'adReservations',
  'adMessages',
  'adLeads',
] as const satisfies readonly MetricKey[]

/** Number of figures in the overview (METRICS-18). */
export const overviewSize = 8
