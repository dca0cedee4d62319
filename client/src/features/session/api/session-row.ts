import { queryOptions } from '@tanstack/react-query'
import { env } from '@/lib/env'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { checkEveryMs, type SessionRow } from '../model/session-clock'
import { readSessionToken, storeSessionToken } from '../model/session-token'
import { sessionKeys } from './keys'

/**
 * Refetches the row every minute while the page is visible; reading does not count as activity
 * (AUTH-21).
 */
export const sessionRowQuery = (sessionId: string) =>
  queryOptions({
    queryKey: sessionKeys.row(sessionId),
    queryFn: async ({ signal }): Promise<SessionRow | null> => {
      const row = unwrap(
        await db
          .from('user_sessions')
          .select('is_active, expires_at, last_activity_at')
          .eq('session_id', sessionId)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return (
        row && {
          isActive: row.is_active,
          expiresAt: row.expires_at,
          lastActivityAt: row.last_activity_at,
        }
      )
    },
    staleTime: 0,
    refetchInterval: checkEveryMs,
    refetchOnWindowFocus: 'always',
  })

/** Sets the session's token, once (AUTH-18: the sign-in creates the row itself). */
export async function startSession(sessionId: string): Promise<void> {
  if (readSessionToken(sessionId) !== null) return
  storeSessionToken({ sessionId, token: unwrap(await db.rpc('start_session')) })
}

/** Records activity (AUTH-19) and returns the user's inactivity timeout (AUTH-20). */
export async function touchSession(): Promise<{ timeoutMinutes: number | null }> {
  const [standing] = unwrap(await db.rpc('touch_session'))
  return { timeoutMinutes: standing?.timeout_minutes ?? null }
}

/**
 * Reports with a beacon that the page is being left, since a beacon outlives the page (AUTH-24).
 */
export function reportLeaving(sessionId: string): void {
  const sessionToken = readSessionToken(sessionId)
  if (sessionToken === null) return
  navigator.sendBeacon(`${env.supabaseUrl}/api/session-cleanup`, JSON.stringify({ sessionToken }))
}
