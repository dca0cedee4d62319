import { describeError } from '@/lib/error-text'
import { type AppError, toAppError } from '@/lib/errors'
import { isDismissed } from '@/lib/webauthn'
import { messages } from '../messages'

/** A failure in the requirements' words. */
export type Notice = { title: string; text: string }

export type SignInFailure =
  | { kind: 'locked'; notice: Notice }
  | { kind: 'unconfirmed' }
  | { kind: 'failed'; notice: Notice }

const rateLimited = [
  'over_request_rate_limit',
  'over_email_send_rate_limit',
  'over_sms_send_rate_limit',
]

// Codes for a problem of the server, not of the caller.
function isUnexpected(error: AppError): boolean {
  return error.status >= 500 || error.code === 'unexpected_failure' || error.code === 'unknown'
}

// For a locked account the server returns the code of a wrong password, so that the code reveals
// nothing about an address (S-06); only its message, fixed by the requirements, differs.
function isLocked(error: AppError): boolean {
  return error.message === messages.locked
}

/** Returns a form's message for a request without a response. */
export function unansweredText(error: AppError): string {
  return `${describeError(error)} ${messages.kept}`
}

/** Returns the message for a refused sign-in (ERR-01, ERR-02, ERR-12). */
export function signInFailure(thrown: unknown): SignInFailure {
  const error = toAppError(thrown)
  if (isLocked(error)) {
    return {
      kind: 'locked',
      notice: { title: messages.signInFailed, text: messages.locked },
    }
  }
  if (error.code === 'email_not_confirmed') return { kind: 'unconfirmed' }
  const failed = (text: string): SignInFailure => ({
    kind: 'failed',
    notice: { title: messages.signInFailed, text },
  })
  if (rateLimited.includes(error.code)) return failed(messages.tooMany)
  if (error.kind === 'network' || isUnexpected(error)) {
    const text = error.kind === 'network' ? unansweredText(error) : messages.signInErrorText
    return { kind: 'failed', notice: { title: messages.signInError, text } }
  }
  return failed(messages.signInFailedText)
}

export type SignUpFailure = { field: 'email' | 'password' | null; notice: Notice }

// The service's refusals with our own messages: raw messages are not shown (S-12).
const signUpRefusals: Record<string, { field: SignUpFailure['field']; text: string }> = {
  weak_password: { field: 'password', text: messages.passwordWeak },
  signup_disabled: { field: null, text: messages.signUpDisabled },
  validation_failed: { field: 'email', text: messages.emailInvalid },
  over_request_rate_limit: { field: null, text: messages.tooMany },
  over_email_send_rate_limit: { field: null, text: messages.tooMany },
}

/** Returns the message for a refused sign-up (ERR-03, ERR-04). */
export function signUpFailure(thrown: unknown): SignUpFailure {
  const error = toAppError(thrown)
  const known = signUpRefusals[error.code]
  if (known)
    return { field: known.field, notice: { title: messages.signUpFailed, text: known.text } }
  const text = error.kind === 'network' ? unansweredText(error) : messages.signUpErrorText
  return { field: null, notice: { title: messages.signUpError, text } }
}

/** Returns the message for a refused code (ERR-08, ERR-09). */
export function verificationFailure(thrown: unknown): Notice {
  const error = toAppError(thrown)
  if (error.kind === 'network')
    return { title: messages.verificationError, text: unansweredText(error) }
  if (rateLimited.includes(error.code)) {
    return { title: messages.verificationError, text: messages.tooMany }
  }
  return isUnexpected(error)
    ? { title: messages.verificationError, text: messages.verificationErrorText }
    : { title: messages.verificationFailed, text: messages.verificationFailedText }
}

/** Returns the message for a refused new password (ERR-65). */
export function newPasswordFailure(thrown: unknown): { field: 'password' | null; text: string } {
  const error = toAppError(thrown)
  if (error.code === 'same_password') return { field: 'password', text: messages.samePassword }
  if (error.code === 'weak_password') return { field: 'password', text: messages.passwordWeak }
  return {
    field: null,
    text: error.kind === 'network' ? unansweredText(error) : messages.passwordErrorText,
  }
}

const wrongCurrent = ['current_password_invalid', 'current_password_required']

/** Returns the message for a refused change of password (ERR-65). */
export function changePasswordFailure(thrown: unknown): {
  field: 'current' | 'password' | null
  text: string
} {
  const error = toAppError(thrown)
  if (wrongCurrent.includes(error.code)) return { field: 'current', text: messages.currentWrong }
  if (rateLimited.includes(error.code)) return { field: null, text: messages.tooMany }
  return newPasswordFailure(error)
}

/** Returns why no code was sent to a phone (ERR-07). */
export function phoneFailure(thrown: unknown): Notice {
  const error = toAppError(thrown)
  if (error.kind === 'network') return { title: messages.phoneError, text: unansweredText(error) }
  if (rateLimited.includes(error.code)) {
    return { title: messages.phoneFailed, text: messages.tooMany }
  }
  if (error.code === 'validation_failed') {
    return { title: messages.phoneFailed, text: messages.phoneInvalid }
  }
  return isUnexpected(error)
    ? { title: messages.phoneError, text: messages.phoneErrorText }
    : { title: messages.phoneFailed, text: messages.phoneFailedText }
}

/**
 * Returns why the redirect to Google failed: the server refused, or the reason is unknown (ERR-06).
 */
export function googleFailure(thrown: unknown): Notice {
  const error = toAppError(thrown)
  return error.kind === 'network' || isUnexpected(error)
    ? { title: messages.googleError, text: messages.googleText }
    : { title: messages.googleFailed, text: messages.googleRefused }
}

/** Returns why a passkey did not sign in; null if the user dismissed the dialog. */
export function passkeyFailure(thrown: unknown): Notice | null {
  if (isDismissed(thrown)) return null
  const error = toAppError(thrown)
  const failed = (text: string): Notice => ({ title: messages.passkeyFailed, text })
  if (error.kind === 'network') return failed(unansweredText(error))
  if (rateLimited.includes(error.code)) return failed(messages.tooMany)
  return failed(
    error.code === 'webauthn_credential_not_found'
      ? messages.passkeyUnknown
      : messages.passkeyFailedText,
  )
}
