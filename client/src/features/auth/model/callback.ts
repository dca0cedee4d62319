import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { absoluteUrl } from '@/lib/language'
import { paths } from '@/lib/paths'
import { isSitePath } from '@/lib/return-path'
import { messages } from '../messages'
import type { Notice } from './auth-error'

/** What a link or a provider returns in the URL. */
export type Return =
  | { kind: 'code'; code: string; next: string | null; confirms: boolean }
  | { kind: 'refused'; notice: Notice; next: string | null }
  | { kind: 'nothing' }

/** URL parameter of a link that confirms an address, so that the callback recognizes it. */
const confirmsParam = 'confirm'

/** Reads the return URL; `next` is used only if it is a page of this site (S-13). */
export function readReturn(params: URLSearchParams): Return {
  const wanted = params.get('next')
  const next = wanted !== null && isSitePath(wanted) ? wanted : null
  const code = params.get('code')
  if (code) return { kind: 'code', code, next, confirms: params.has(confirmsParam) }
  if (!params.has('error') && !params.has('error_code')) return { kind: 'nothing' }
  const isUsed = params.get('error_code') === 'otp_expired'
  const text = isUsed ? messages.linkSpent : messages.callbackRefused
  return { kind: 'refused', notice: { title: messages.callbackFailed, text }, next }
}

/** Returns the URL that a link redirects to, with the page to open afterwards. */
export function returnAddress(path: string, next: string | null): string {
  const url = new URL(absoluteUrl(path))
  if (next !== null) url.searchParams.set('next', next)
  return url.href
}

/** The same for a link that confirms an address. */
export function confirmationAddress(path: string, next: string | null): string {
  const url = new URL(returnAddress(path, next))
  url.searchParams.set(confirmsParam, '1')
  return url.href
}

// AuthPKCECodeVerifierMissingError has no code of its own; the two server codes mean the same.
const notThisBrowser = ['pkce_code_verifier_not_found', 'bad_code_verifier']

/**
 * Returns the message for a failed exchange, and whether the link still served its purpose: a link
 * opened in another browser has confirmed its address and only cannot sign in there. Refusals are
 * 'Authentication Failed', other failures 'Authentication Error' (AUTH-15 does not define which is
 * which).
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
