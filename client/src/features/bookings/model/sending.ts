/** What sending a booking needs, in one file beside the form: a page that is only read does without. */
export { book, findUnanswered } from '../api/send-booking'
export { failureOf, notBooked } from './failure'
