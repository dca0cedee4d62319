import { countText } from '@/lib/formats'
import { translated } from '@/lib/translated'

/** Texts of parts that are used on many screens. */
export const messages = translated('ui', {
  loading: 'Loading',
  close: 'Close',
  tryAgain: 'Try Again',
  partFailed: 'This part could not be loaded',
  partFailedText:
    'The rest of the page, and what you typed, is untouched. Reload it if Plaza was updated.',
  reloadPage: 'Reload Page',

  breadcrumb: 'Breadcrumb',
  pagination: 'Pagination',
  previous: 'Previous',
  next: 'Next',
  page: (n: number) => `Page ${n}`,

  previousWeek: 'Previous week',
  nextWeek: 'Next week',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  chooseDay: 'Choose a day',
  weekdays: {
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
    sunday: 'Sunday',
  },
  shortWeekdays: {
    monday: 'Mon',
    tuesday: 'Tue',
    wednesday: 'Wed',
    thursday: 'Thu',
    friday: 'Fri',
    saturday: 'Sat',
    sunday: 'Sun',
  },

  unrated: 'New',
  unratedText: ', not rated yet',
  rated: (rating: string) => `Rated ${rating} out of 5`,
  reviews: (count: number) => `${countText(count)} ${count === 1 ? 'review' : 'reviews'}`,

  offline: 'You are offline.',
  offlineText: 'What you see stays here; nothing can be saved or booked.',
  noOperator: 'This server does not say yet who runs it. It is not meant for the public.',

  notices: 'Message',
  dismiss: 'Dismiss',
})
