import { queryOptions } from '@tanstack/react-query'
import { env } from '@/lib/env'
import { loadSupabase } from '@/lib/supabase'
import { readClaims } from '@/lib/token'
import { adminKeys } from './keys'

/** The response of a part of the server; status 0 means that there was none. */
export type PartState = { id: ServerPart; status: number; ms: number }

const addresses = {
  health: '/health',
  ready: '/ready',
  rest: '/rest/v1/categories-plaza?select=category_code&limit=1',
  auth: '/auth/v1/health',
  storage: '/storage/v1/status',
} as const
type ServerPart = keyof typeof addresses

async function check(id: ServerPart, signal: AbortSignal): Promise<PartState> {
  const began = performance.now()
  let status = 0
  try {
    const answer = await fetch(addresses[id], {
      signal,
      cache: 'no-store',
      headers: { apikey: env.anonKey },
    })
    status = answer.status
  } catch {
    // Without a response the status stays 0.
  }
  return { id, status, ms: Math.round(performance.now() - began) }
}

/** Whether each part of the server responds, and how fast. */
export const serverQuery = queryOptions({
  queryKey: [...adminKeys.all, 'debug', 'server'] as const,
  queryFn: ({ signal }) =>
    Promise.all([
      check('health', signal),
      check('ready', signal),
      check('rest', signal),
      check('auth', signal),
      check('storage', signal),
    ]),
  staleTime: 0,
})

/** What is known of the session, without its tokens (S-56). */
export const sessionQuery = queryOptions({
  queryKey: [...adminKeys.all, 'debug', 'session'] as const,
  queryFn: async () => {
    const { auth } = await loadSupabase()
    const { data, error } = await auth.getSession()
    if (error) throw error
    if (data.session === null) return null
    const { access_token, expires_at, user } = data.session
    const { aal, sessionId } = readClaims(access_token)
    return { userId: user.id, aal, sessionId, expiresAt: expires_at ?? null }
  },
  staleTime: 0,
})
