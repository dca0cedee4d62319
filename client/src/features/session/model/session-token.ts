import { readStored, writeStored } from '@/lib/storage'

/**
 * Local storage key of the session token (AUTH-25); lib/supabase has the key of auth, the location
 * feature its own.
 */
const sessionTokenKey = 'plaza.session-token'

export type StoredToken = { sessionId: string; token: string }

function parse(value: unknown): StoredToken | null {
  if (typeof value !== 'object' || value === null) return null
  const sessionId: unknown = Reflect.get(value, 'sessionId')
  const token: unknown = Reflect.get(value, 'token')
  return typeof sessionId === 'string' && typeof token === 'string' ? { sessionId, token } : null
}

/**
 * Returns the token used to report that this browser's session is closing; null for another
 * session.
 */
export function readSessionToken(sessionId: string): string | null {
  const stored = readStored(sessionTokenKey, parse)
  return stored?.sessionId === sessionId ? stored.token : null
}

export function storeSessionToken(stored: StoredToken): void {
  writeStored(sessionTokenKey, stored)
}

export function forgetSessionToken(): void {
  try {
    localStorage.removeItem(sessionTokenKey)
  } catch {
    // Storage is disabled: nothing was stored either.
  }
}
