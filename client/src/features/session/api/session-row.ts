import { queryOptions } from '@tanstack/react-query'
import { env } from '@/lib/env'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { checkEveryMs, type SessionRow } from '../model/session-clock'
import { keepSessionToken, readSessionToken } from '../model/session-token'
import { sessionKeys } from './keys'

/** Reads the row again every minute, while somebody looks; reading is no activity (AUTH-21). */
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

/** Gives the session its token, once (AUTH-18: the row itself is made by the sign-in). */
export async function startSession(sessionId: string): Promise<void> {
  if (readSessionToken(sessionId) !== null) return
  keepSessionToken({ sessionId, token: unwrap(await db.rpc('start_session')) })
}

/** Notes activity (AUTH-19) and tells the time-out that holds for this person (AUTH-20). */
export async function touchSession(): Promise<{ timeoutMinutes: number | null }> {
  const [standing] = unwrap(await db.rpc('touch_session'))
  return { timeoutMinutes: standing?.timeout_minutes ?? null }
}

/** Says that this browser's page leaves, by a beacon: it outlives the page (AUTH-24). */
export function tellLeaving(sessionId: string): void {
  const sessionToken = readSessionToken(sessionId)
  if (sessionToken === null) return
  navigator.sendBeacon(`${env.supabaseUrl}/api/session-cleanup`, JSON.stringify({ sessionToken }))
}
