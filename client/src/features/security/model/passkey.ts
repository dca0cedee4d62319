import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { isDismissed } from '@/lib/webauthn'
import { messages } from '../messages'
import { deviceOf } from './device'

/** A key on somebody's device that signs in without a password. */
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

/** What a new passkey is called until somebody renames it: the device it was made on. */
export function passkeyName(userAgent: string): string {
  return deviceOf(userAgent).label
}

/** Why no passkey was made; null when somebody thought better of it. */
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
