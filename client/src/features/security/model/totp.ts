import { toAppError } from '@/lib/errors'
import { secondFactorFailure } from '@/lib/second-factor'
import { messages } from '../messages'

/** The issuer that authenticator apps show (SEC-07). */
export const totpIssuer = 'Local Business Directory'
/** The factor's name on the server. */
export const totpName = 'Authenticator app'

/** The user's authenticator, without its secret (S-21). */
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

/** What an authenticator app needs, shown once (SEC-06). */
export type Setup = {
  factorId: string
  secret: string
  uri: string
  /** The QR code as a data URL. */
  qr: string
}

/**
 * Returns a QR code as a data URL. supabase-js puts its prefix before the raw SVG, in which a '#'
 * would end the URL, so it is encoded here.
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

/** Formats a secret in groups of four, so that it is easier to copy by hand. */
export function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

/** Returns why no secret was created (ERR-66). */
export function setupFailure(thrown: unknown): { title: string; text: string | null } {
  const error = toAppError(thrown)
  const isNobody = error.code === 'no_authorization' || error.code === 'session_not_found'
  return { title: messages.generateFailed, text: isNobody ? messages.notAuthenticated : null }
}

/** Returns why the second factor was not enabled (ERR-68), or what is wrong with the code. */
export function enableFailure(thrown: unknown): string {
  const error = toAppError(thrown)
  if (error.code === 'mfa_factor_not_found') return messages.noSecret
  const text = secondFactorFailure(error, 'totp')
  return error.kind === 'server' && error.status >= 500 ? messages.enableFailed : text
}
