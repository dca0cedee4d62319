import type { MetricPart, TopMetric, TopMonths } from './model/business-metrics'

const part: Record<MetricPart, string> = {
  overview: 'Overview',
  top: 'Top Performers',
  analytics: 'Analytics',
}
const month: Record<TopMonths, string> = {
  this: 'This month',
  last: 'Last month',
  three: 'Three months',
}
const metric: Record<TopMetric, string> = {
  pageViews: 'Page views',
  searches: 'Search appearances',
  bookings: 'Online bookings',
  leads: 'Total leads',
  bookmarks: 'Bookmarks',
  reviews: 'New reviews',
  rating: 'Average rating',
}

/** Texts of the metrics of all businesses; sub-tabs are verbatim (ADMIN-METRICS-02). */
export const metricsMessages = {
  title: 'Business Metrics',
  text: 'How visitors find, contact and book all businesses.',
  parts: 'Parts of the metrics of all businesses',
  part,
  caption: 'Businesses',
  listText: 'Their newest figures: those of the last day with any.',
  pending: 'Loading the figures of businesses',
  error: 'The figures of businesses could not be loaded',
  empty: 'No business has figures',
  searchLabel: 'Search by name or display ID',
  name: 'Business',
  owner: 'Owner',
  date: 'Day',
  views: 'Views',
  bookings: 'Bookings',
  leads: 'Leads',
  rating: 'Rating',
  none: '–',

  months: 'Months',
  month,
  metric,
  topPending: 'Loading the best businesses',
  topError: 'The best businesses could not be loaded',
  topEmpty: 'No figures in this month',
  topEmptyText: 'They come as soon as visitors find a business or open its page.',
  topLonger: 'Show three months',
  nobody: 'Nobody yet',

  back: 'Back to all businesses',
  opening: 'Loading the business',
  openFailed: 'The business could not be loaded',
  gone: 'This business no longer exists',
  view: 'View the page',
} as const
