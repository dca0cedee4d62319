import { toAppError } from '@/lib/errors'
import { secondFactorFailure } from '@/lib/second-factor'
import { messages } from '../messages'

/** What authenticator apps show as the sender of the codes (SEC-07). */
export const totpIssuer = 'Local Business Directory'
/** What the server calls the factor. */
export const totpName = 'Authenticator app'

/** One's authenticator, without its secret (S-21). */
export type Factor = {
  id: string
  isVerified: boolean
  lastUsedAt: string | null
  createdAt: string | null
}

export type FactorRow = {
  id: string | null
  is_verified: boolean | null
  last_used_at: string | null
  created_at: string | null
}

export function toFactor(row: FactorRow): Factor | null {
  if (row.id === null) return null
  return {
    id: row.id,
    isVerified: row.is_verified === true,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}

/** What an authenticator app needs to know, told once (SEC-06). */
export type Setup = {
  factorId: string
  secret: string
  uri: string
  /** The picture as an address to show it from. */
  qr: string
}

/**
 * The picture of a code as an address. supabase-js puts its prefix before the bare SVG,
 * in which a '#' would end the address; so it is encoded here.
 */
export function qrAddress(picture: string): string {
  const svg = picture.slice(picture.indexOf('<'))
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

export function toSetup({
  id,
  totp,
}: {
  id: string
  totp: { qr_code: string; secret: string; uri: string }
}): Setup {
  return { factorId: id, secret: totp.secret, uri: totp.uri, qr: qrAddress(totp.qr_code) }
}

/** A secret in groups of four, as people can copy it by eye. */
export function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

/** Why no secret was made (ERR-66). */
export function setupFailure(thrown: unknown): { title: string; text: string | null } {
  const error = toAppError(thrown)
  const isNobody = error.code === 'no_authorization' || error.code === 'session_not_found'
  return { title: messages.generateFailed, text: isNobody ? messages.notAuthenticated : null }
}

/** Why the second factor is still off (ERR-68), or what is wrong with the code. */
export function enableFailure(thrown: unknown): string {
  const error = toAppError(thrown)
  if (error.code === 'mfa_factor_not_found') return messages.noSecret
  const text = secondFactorFailure(error, 'totp')
  return error.kind === 'server' && error.status >= 500 ? messages.enableFailed : text
}
