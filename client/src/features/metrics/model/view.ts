import { advertiserSummary, businessSummary, type MetricKey } from './metric'

/** The tabs (METRICS-15), as named in the URL. */
export const metricViews = [
  'overview',
  'engagement',
  'communication',
  'advertising',
  'trends',
] as const
export type MetricView = (typeof metricViews)[number]

/** The tabs of advertising (METRICS-16). */
export const adViews = ['overview', 'performance', 'cost', 'leads', 'trends'] as const
export type AdView = (typeof adViews)[number]

const engagement = [
  'pageViews',
  'searches',
  'photoViews',
  'directions',
  'websiteClicks',
  'bookmarks',
  'checkIns',
  'photosAdded',
  'rating',
  'reviews',
] as const satisfies readonly MetricKey[]

const moreOfBusiness = [
  'searches',
  'photoViews',
  'checkIns',
  'photosAdded',
  'rating',
  'reviews',
] as const satisfies readonly MetricKey[]

/** The figures of each tab, in order. */
export const viewMetrics: Record<Exclude<MetricView, 'advertising'>, readonly MetricKey[]> = {
  overview: [...businessSummary, ...advertiserSummary],
  engagement,
  communication: ['calls', 'messages', 'bookings', 'leads', 'replyRate', 'responseTime'],
  trends: [...businessSummary, ...moreOfBusiness],
}

/** The figures of each advertising tab, in order. */
export const adMetrics: Record<AdView, readonly MetricKey[]> = {
  overview: advertiserSummary,
  performance: ['impressions', 'clicks', 'clickRate', 'adPageViews'],
  cost: ['adCost', 'costPerClick', 'clicks'],
  leads: ['adCalls', 'adReservations', 'adMessages', 'adLeads'],
  trends: [...advertiserSummary, 'adPageViews'],
}

/** All figures of a business and its promotion, for exports. */
export const allMetrics: readonly MetricKey[] = [...viewMetrics.trends, ...adMetrics.trends]
