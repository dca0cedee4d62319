import { type ErrorKind, isUnanswered, toAppError, type Unanswered } from './errors'
import { translated } from './translated'

/** Error messages for users, by kind of failure (the requirements name the kinds, ERR-71). */
export const errorText = translated('errors', {
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
  // Not a server error, and no server was unreachable (ERR-40).
  generic: 'Something went wrong. Please try again.',
} satisfies Record<ErrorKind | Unanswered | 'generic', string>)

/** Returns the message to show for any error. It is never a server's raw message. */
export function describeError(error: unknown): string {
  const { code, kind, status } = toAppError(error)
  if (isUnanswered(code)) return errorText[code]
  return kind === 'server' && status < 400 ? errorText.generic : errorText[kind]
}
