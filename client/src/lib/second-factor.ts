import { describeError } from './error-text'
import { toAppError } from './errors'
import { loadSupabase } from './supabase'
import { translated } from './translated'

/** Texts about second-factor codes; the messages are as the requirements specify them (ERR-67). */
export const secondFactorWords = translated('secondFactor', {
  code: 'Verification code',
  codeHelp: 'The 6 digits your authenticator app shows now',
  backup: 'Backup code',
  backupHelp: 'One of the 8-character codes you saved. Each works once.',
  useBackup: 'Use a backup code',
  useCode: 'Use the authenticator app',

  notConfigured: 'TOTP not configured',
  invalid: 'Invalid TOTP code',
  invalidHelp: 'Wait for the next code and try again: each works once.',
  invalidBackup: 'Invalid backup code. Each code works once.',
  verified: 'TOTP verified successfully',
  failed: 'Failed to verify TOTP',
  missing: 'Please enter verification code',
  tooMany: 'Too many attempts. Wait a minute and try again.',
})

/** A second-factor code: from the authenticator app, or a backup code. */
export type SecondFactorProof = { kind: 'totp' | 'backup'; code: string }

/**
 * Raises the session to aal2 with a second factor (SEC-12 to SEC-14). Errors:
 * mfa_verification_failed, mfa_challenge_expired, mfa_factor_not_found, mfa_recovery_codes_locked,
 * over_request_rate_limit.
 */
export async function verifySecondFactor(
  factorId: string,
  { kind, code }: SecondFactorProof,
): Promise<void> {
  const { mfa } = (await loadSupabase()).auth
  const { error } =
    kind === 'totp'
      ? await mfa.challengeAndVerify({ factorId, code })
      : await mfa.recoveryCodes.verify({ code: code.toUpperCase() })
  if (error) throw toAppError(error)
}

/** Returns the message for a refused code (ERR-67). */
export function secondFactorFailure(thrown: unknown, kind: SecondFactorProof['kind']): string {
  const error = toAppError(thrown)
  if (error.kind === 'network') return describeError(error)
  switch (error.code) {
    case 'over_request_rate_limit':
    case 'mfa_recovery_codes_locked':
      return secondFactorWords.tooMany
    case 'mfa_factor_not_found':
      return secondFactorWords.notConfigured
    case 'mfa_verification_failed':
    case 'mfa_verification_rejected':
    case 'mfa_challenge_expired':
      return kind === 'totp'
        ? `${secondFactorWords.invalid}. ${secondFactorWords.invalidHelp}`
        : secondFactorWords.invalidBackup
    default:
      return secondFactorWords.failed
  }
}
