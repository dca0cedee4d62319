import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { isDismissed } from '@/lib/webauthn'
import { messages } from '../messages'
import { deviceOf } from './device'

/** A key on the user's device that signs in without a password. */
export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

type PasskeyRow = {
  id: string
  friendly_name?: string
  created_at: string
  last_used_at?: string
}

export function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.friendly_name || messages.passkeyUnnamed,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? null,
  }
}

/** Returns the initial name of a passkey: the device on which it was created. */
export function passkeyName(userAgent: string): string {
  return deviceOf(userAgent).label
}

/** Returns why no passkey was created; null if the user dismissed the dialog. */
export function passkeyFailure(thrown: unknown): string | null {
  const error = toAppError(thrown)
  if (isDismissed(thrown)) return null
  if (error.kind === 'network') return describeError(error)
  switch (error.code) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
    case 'webauthn_credential_exists':
      return messages.passkeyExists
    case 'too_many_passkeys':
      return messages.passkeyTooMany
    default:
      return messages.passkeyFailedText
  }
}
