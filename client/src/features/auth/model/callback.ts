import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { isSitePath } from '@/lib/return-path'
import { messages } from '../messages'
import type { Notice } from './auth-error'

/** What the address brings back from a link or a provider. */
export type Return =
  | { kind: 'code'; code: string; next: string | null; confirms: boolean }
  | { kind: 'refused'; notice: Notice; next: string | null }
  | { kind: 'nothing' }

/** In the address of a link that confirms an address, so that its return is known as that. */
const confirmsParam = 'confirm'

/** Reads the return; `next` counts only when it is a page of this site (S-13). */
export function readReturn(params: URLSearchParams): Return {
  const wanted = params.get('next')
  const next = wanted !== null && isSitePath(wanted) ? wanted : null
  const code = params.get('code')
  if (code) return { kind: 'code', code, next, confirms: params.has(confirmsParam) }
  if (!params.has('error') && !params.has('error_code')) return { kind: 'nothing' }
  const spent = params.get('error_code') === 'otp_expired'
  const text = spent ? messages.linkSpent : messages.callbackRefused
  return { kind: 'refused', notice: { title: messages.callbackFailed, text }, next }
}

/** The page that a link leads back to, with where to go on from there. */
export function returnAddress(origin: string, path: string, next: string | null): string {
  const url = new URL(path, origin)
  if (next !== null) url.searchParams.set('next', next)
  return url.href
}

/** The same for the link that confirms an address. */
export function confirmationAddress(origin: string, path: string, next: string | null): string {
  const url = new URL(returnAddress(origin, path, next))
  url.searchParams.set(confirmsParam, '1')
  return url.href
}

// AuthPKCECodeVerifierMissingError has no code of its own kind; the two server codes mean the same.
const notThisBrowser = ['pkce_code_verifier_not_found', 'bad_code_verifier']

/**
 * What a failed exchange means, and whether it did what it was for: a link that is opened in another
 * browser has confirmed its address, and only cannot sign in there. Refusals are 'Authentication Failed', what nobody
 * decided is 'Authentication Error' (AUTH-15 leaves open which is which).
 */
export function exchangeFailure(
  thrown: unknown,
  { next, confirms }: { next: string | null; confirms: boolean },
): Notice & { isConfirmed?: true } {
  const error = toAppError(thrown)
  if (notThisBrowser.includes(error.code)) {
    if (confirms) {
      return { title: messages.confirmedTitle, text: messages.confirmedText, isConfirmed: true }
    }
    const isReset = next === paths.resetPassword
    return {
      title: messages.callbackFailed,
      text: isReset ? messages.resetElsewhere : messages.otherBrowser,
    }
  }
  if (/^flow_state_/.test(error.code)) {
    return { title: messages.callbackFailed, text: messages.linkSpent }
  }
  const text = error.kind === 'network' ? describeError(error) : messages.callbackErrorText
  return { title: messages.callbackError, text }
}
