import { type ErrorKind, isUnanswered, toAppError, type Unanswered } from './errors'

/** Sentences for people, by kind of failure (the document names the kinds, ERR-71). */
const errorText: Record<ErrorKind | Unanswered, string> = {
  offline: 'You are offline. Check your connection and try again.',
  timeout: 'Plaza takes too long to answer. Please try again.',
  'missing-code':
    'A part of Plaza could not be loaded. Try again, or reload the page: Plaza may have been updated.',
  network: 'Plaza cannot be reached at the moment. Please try again.',
  auth: 'Please sign in again to continue.',
  permission: 'You do not have permission to do this.',
  validation: 'Some of the information was not accepted. Please check it and try again.',
  'not-found': 'We could not find what you were looking for.',
  server: 'Something went wrong on our side. Please try again.',
}

// No server said that something went wrong, and none was out of reach (ERR-40).
const genericText = 'Something went wrong. Please try again.'

/** The sentence to show for any error. Never the raw message of a server. */
export function describeError(error: unknown): string {
  const { code, kind, status } = toAppError(error)
  if (isUnanswered(code)) return errorText[code]
  return kind === 'server' && status < 400 ? genericText : errorText[kind]
}
