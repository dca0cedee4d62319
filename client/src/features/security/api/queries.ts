import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { type SecurityEvent, toEvent } from '../model/event'
import type { Overview } from '../model/overview'
import { toSession, type UserSession } from '../model/session'
import { securityKeys } from './keys'

/** Number of events in the activity list (SEC-19). */
const newestEventCount = 50

// The data changes on other devices: a sign-in, or a failed one.
const alwaysFresh = { staleTime: 0, refetchOnWindowFocus: true } as const

/** The user's active sessions, the most recently used first (SEC-16). */
export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: securityKeys.sessions(userId),
    queryFn: async ({ signal }): Promise<UserSession[]> => {
      const rows = unwrap(
        await db
          .from('user_sessions')
          .select(
            'id, session_id, user_agent, ip_address, created_at, last_activity_at, expires_at',
          )
          .eq('user_id', userId)
          .eq('is_active', true)
          .gt('expires_at', new Date().toISOString())
          .order('last_activity_at', { ascending: false })
          .abortSignal(signal),
      )
      return rows.map(toSession)
    },
    ...alwaysFresh,
  })

/** The user's latest security events (SEC-18, SEC-19). */
export const eventsQuery = (userId: string) =>
  queryOptions({
    queryKey: securityKeys.events(userId),
    queryFn: async ({ signal }): Promise<SecurityEvent[]> => {
      const rows = unwrap(
        await db
          .from('user_security_events')
          .select('id, event_type, ip_address, user_agent, created_at')
          .eq('user_id', userId)
          .order('created_at', { ascending: false })
          .order('id')
          .limit(newestEventCount)
          .abortSignal(signal),
      )
      return rows.map(toEvent)
    },
    ...alwaysFresh,
  })

/** The number of events of each kind in the last 30 days (SEC-03). */
export const overviewQuery = (userId: string) =>
  queryOptions({
    queryKey: securityKeys.overview(userId),
    queryFn: async ({ signal }): Promise<Overview> => {
      const rows = unwrap(await db.rpc('security_overview').abortSignal(signal))
      return new Map(rows.map((row) => [row.event_type, row.events]))
    },
    ...alwaysFresh,
  })
