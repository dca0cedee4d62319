import { readStored, writeStored } from '@/lib/storage'

/** Local storage key of the session token (AUTH-25); auth is lib/supabase, location its feature's. */
const sessionTokenKey = 'plaza.session-token'

export type StoredToken = { sessionId: string; token: string }

function parse(value: unknown): StoredToken | null {
  if (typeof value !== 'object' || value === null) return null
  const sessionId: unknown = Reflect.get(value, 'sessionId')
  const token: unknown = Reflect.get(value, 'token')
  return typeof sessionId === 'string' && typeof token === 'string' ? { sessionId, token } : null
}

/** The token by which this browser's session can be told to be closing; null for another session. */
export function readSessionToken(sessionId: string): string | null {
  const stored = readStored(sessionTokenKey, parse)
  return stored?.sessionId === sessionId ? stored.token : null
}

export function keepSessionToken(stored: StoredToken): void {
  writeStored(sessionTokenKey, stored)
}

export function forgetSessionToken(): void {
  try {
    localStorage.removeItem(sessionTokenKey)
  } catch {
    // Switched off: then nothing was kept either.
  }
}
