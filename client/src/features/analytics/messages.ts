import type { Weekday } from '@/lib/time'
import type { Preset } from './model/range'
import type { ExportKind } from './model/sheet'
import type { AnalyticsView, Bucket } from './model/view'

const view: Record<AnalyticsView, string> = {
  overview: 'Overview',
  bookings: 'Bookings',
  revenue: 'Revenue',
  services: 'Services',
}
const preset: Record<Preset, string> = {
  'last-7': 'Last 7 days',
  'last-30': 'Last 30 days',
  'last-90': 'Last 90 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
  custom: 'Custom',
}
const bucket: Record<Bucket, string> = { week: 'Weekly', month: 'Monthly', year: 'Yearly' }
const period: Record<Bucket, string> = { week: 'Week', month: 'Month', year: 'Year' }
const weekday: Record<Weekday, string> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}
const exportKind: Record<ExportKind, string> = {
  bookings: 'Bookings',
  revenue: 'Revenue',
  services: 'Services',
}

/** Texts of a business's analytics (METRICS-01 to METRICS-13). */
export const messages = {
  views: 'Parts of the analytics',
  view,
  pending: 'Loading the analytics',
  failed: 'The analytics could not be loaded',
  noBookings: 'No booking data available to analyze',
  noServices: 'No service data available',
  noneText: 'There are no bookings in these dates.',
  showYear: 'Show this year',

  dates: 'Dates',
  preset,
  chooseDates: 'Choose the dates',
  compared: (days: number) =>
    days === 1 ? 'Compared with the day before' : `Compared with the ${days} days before`,

  exports: 'Export',
  exportOf: (kind: ExportKind) => `Export ${kind}`,
  exportKind,
  exported: 'The file is in your downloads',
  exportFailed: 'The file could not be made',
  exportEmpty: 'There is nothing to export in these dates',
  exportTooMany: (most: string) => `A file takes ${most} bookings. Choose fewer days.`,
  exportTooManyTitle: 'These are too many bookings for one file',

  totals: 'Totals',
  bookings: 'Bookings',
  completed: 'Completed',
  cancelled: 'Cancelled',
  open: 'Not over yet',
  revenue: 'Revenue',
  completionRate: 'Completion rate',
  average: 'Average per visit',
  revenueHelp: 'Only completed bookings count toward revenue.',

  trendTitle: 'Revenue trend',
  trendText: 'The last 6 months, this one included.',
  month: 'Month',
  byService: 'Bookings by service',
  byServiceFirst: (most: number) => `The ${most} with most bookings; the table has all.`,
  service: 'Service',
  peakHours: 'Peak booking hours',
  busiest: (hour: string) => `Most bookings start between ${hour}.`,
  noHours: 'No booking starts on this weekday in these dates.',
  hour: 'Hour',
  weekdays: 'Weekday',
  allDays: 'All days',
  weekday,
  inDates: 'Revenue in these dates',
  buckets: 'How long a period is',
  bucket,
  period,

  standsOut: 'What stands out',
  mostBooked: 'Most booked service',
  bestEarning: 'Most revenue from',
  busiestHour: 'Busiest hour',
  count: (bookings: number) => (bookings === 1 ? '1 booking' : `${bookings} bookings`),
  none: 'None yet',
  performance: 'Service performance',
  rateHelp: 'The completion rate is the share of all bookings that were completed.',

  offerTitle: 'Analytics comes with a larger plan',
  offerText: 'With it you see here, for the dates you choose:',
  offer: [
    'revenue by week, month and year, and its trend over 6 months',
    'which services are booked, completed and cancelled',
    'the hours at which most bookings start, for each weekday',
    'each figure beside that of the days before, and files for your spreadsheet',
  ],
} as const
