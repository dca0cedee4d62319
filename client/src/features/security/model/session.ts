import { type Device, deviceOf } from './device'

/** A session of the user on one of their devices. */
export type UserSession = {
  id: string
  /** The id in its access tokens; null once the auth server has ended it. */
  sessionId: string | null
  device: Device
  ip: string | null
  startedAt: string
  lastActivityAt: string
  expiresAt: string
}

export type SessionRow = {
  id: string
  session_id: string | null
  user_agent: string | null
  ip_address: unknown
  created_at: string
  last_activity_at: string
  expires_at: string
}

/** Formats an IP address, without the mask that PostgreSQL may include. */
export function ipText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.replace(/\/\d+$/, '') : null
}

export function toSession(row: SessionRow): UserSession {
  return {
    id: row.id,
    sessionId: row.session_id,
    device: deviceOf(row.user_agent),
    ip: ipText(row.ip_address),
    startedAt: row.created_at,
    lastActivityAt: row.last_activity_at,
    expiresAt: row.expires_at,
  }
}

/** Returns this browser's session first, then the others in their order. */
export function thisFirst(
  sessions: readonly UserSession[],
  current: string | null,
): { session: UserSession; isThis: boolean }[] {
  const marked = sessions.map((session) => ({
    session,
    isThis: current !== null && session.sessionId === current,
  }))
  return [...marked.filter(({ isThis }) => isThis), ...marked.filter(({ isThis }) => !isThis)]
}
