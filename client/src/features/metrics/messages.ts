import type { MetricKey, Unit } from './model/metric'
import type { Period } from './model/period'
import type { SheetKind } from './model/sheet'
import type { AdView, MetricView } from './model/view'

const view: Record<MetricView, string> = {
  overview: 'Overview',
  engagement: 'Engagement',
  communication: 'Communication',
  advertising: 'Advertising',
  trends: 'Trends',
}
const adView: Record<AdView, string> = {
  overview: 'Overview',
  performance: 'Performance',
  cost: 'Cost Analysis',
  leads: 'Lead Generation',
  trends: 'Trends',
}
const period: Record<Period, string> = { '7': '7 days', '30': '30 days', '90': '90 days' }
const metric: Record<MetricKey, string> = {
  pageViews: 'Page views',
  calls: 'Calls',
  directions: 'Directions and map views',
  websiteClicks: 'Website clicks',
  messages: 'Messages',
  bookings: 'Online bookings',
  bookmarks: 'Bookmarks',
  leads: 'Total leads',
  replyRate: 'Reply rate',
  responseTime: 'Median response time',
  searches: 'Search appearances',
  photoViews: 'Photo views',
  photosAdded: 'Photos added',
  checkIns: 'Completed visits',
  rating: 'Rating',
  reviews: 'New reviews',
  impressions: 'Impressions',
  clicks: 'Clicks',
  clickRate: 'Click-through rate',
  adCost: 'Ad cost',
  costPerClick: 'Cost per click',
  adCalls: 'Ad-driven calls',
  adReservations: 'Ad-driven reservations',
  adMessages: 'Ad-driven messages',
  adLeads: 'Ad-driven leads',
  adPageViews: 'Ad-driven page views',
}
const unit: Record<Unit, string> = {
  count: 'count',
  percent: 'percent',
  rate: 'percent',
  cents: 'money',
  seconds: 'seconds',
  stars: 'stars',
}
const exportKind: Record<SheetKind, string> = { summary: 'Summary', days: 'Each day' }

/** Texts of a business's metrics (METRICS-14 to METRICS-26). */
export const messages = {
  views: 'Parts of the metrics',
  view,
  adViews: 'Parts of advertising',
  adView,
  periods: 'How many days',
  period,
  compared: (days: string) => `Compared with the ${days} days before`,
  made: 'Figures are made every five minutes and count each visitor once a day.',
  pending: 'Loading the metrics',
  failed: 'The metrics could not be loaded',

  metric,
  unit,
  none: '–',
  time: (minutes: number, seconds: string) => `${minutes} min ${seconds} s`,
  shortTime: (minutes: number) => `${minutes} min`,
  figures: 'Figures',
  summary: 'Summary',
  summaryOf: { business: 'Summary of the business', advertiser: 'Summary of advertising' },
  metricColumn: 'Metric',
  current: 'These days',
  previous: 'Days before',
  change: 'Change',
  trend: 'Trend',
  trends: { up: 'up', down: 'down', stable: 'stable' },
  day: 'Day',
  byDay: {
    engagement: 'Visitors by day',
    communication: 'Contacts by day',
    leads: 'Leads by day',
  },

  filter: 'Filter',
  filterTitle: 'Metrics shown',
  filtered: (hidden: number) => `Filter, ${hidden} hidden`,
  showAll: 'Show all',
  allHidden: 'All metrics are hidden',
  allHiddenText: 'The filter hides every metric of this part.',

  exports: 'Export',
  exportKind,
  exported: 'The file is in your downloads',
  exportFailed: 'The file could not be made',

  empty: 'No figures in these days',
  emptyText: 'They come as soon as visitors find the business, open its page or write to it.',
  emptyAll: 'They come as soon as visitors find a business, open its page or write to it.',
  emptyAds: 'No figures of a promotion in these days',
  emptyAdsText: 'They come as soon as a list shows the business at a promoted place.',
  showMore: 'Show 90 days',
  improve: 'Improve the listing',

  promote: 'Promote this business',
  promoteText:
    'It takes turns with others at the first two places of lists that match it, marked Promoted. Your plan includes it.',
  promoted: 'This business is promoted now',
  notPromoted: 'This business is not promoted any more',
  promoteOffer:
    'Promoted businesses take turns at the first two places of lists that match them, marked Promoted. A larger plan includes it.',
  promotePending: 'Loading the promotion',
  promoteLoadFailed: 'It could not be read whether the business is promoted',
  promoteFailed: 'The promotion could not be changed',
  promoteRefused: 'Your plan has no promoted listings',
  promoteRefusedText: 'Nothing was changed. Upgrade your plan to promote a business.',
  plans: 'See the plans',

  offerTitle: 'Business Metrics come with a larger plan',
  offerText: 'With it you see here, for the last 7, 30 or 90 days:',
  offer: [
    'how many visitors find your business, open its page and look at its photos',
    'calls, directions, website clicks, messages and bookings that come of it',
    'how fast you answer, and what a promoted place brings',
    'each figure beside that of the days before, its trend, and files for your spreadsheet',
  ],
} as const
