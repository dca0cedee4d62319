/**
 * The code that sends a booking, loaded in one file with the form: pages that are only read do not
 * need it.
 */
export { book, findUnanswered } from '../api/send-booking'
export { failureOf, notBooked } from './failure'
