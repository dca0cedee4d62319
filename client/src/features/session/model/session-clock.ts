/** Session activity is noted at most this often (AUTH-19). */
export const activityThrottleMs = 60_000
/** How often the time-out is looked at (AUTH-21). */
export const checkEveryMs = 60_000
/** How long before the end the warning comes (AUTH-22). */
export const warnBeforeMs = 5 * 60_000
/** Where no profile says otherwise (AUTH-20). */
export const defaultTimeoutMinutes = 480

/** A session row as the server keeps it. */
export type SessionRow = {
  isActive: boolean
  expiresAt: string
  lastActivityAt: string
}

export type SessionStanding =
  | { kind: 'running' }
  /** `canStay`: activity moves the end; a row's own expiry stays where it is. */
  | { kind: 'ending'; canStay: boolean }
  | { kind: 'ended'; reason: 'expired' | 'timed-out' }

const minute = 60_000

/**
 * How a session stands at a moment. A row that has run out has 'expired', one that
 * nobody used for the time-out has 'timed out' (AUTH-23); one ended from elsewhere
 * counts as expired.
 */
export function sessionStanding(
  row: SessionRow,
  timeoutMinutes: number,
  now: Date,
): SessionStanding {
  const expiry = new Date(row.expiresAt).valueOf()
  const idle = new Date(row.lastActivityAt).valueOf() + timeoutMinutes * minute
  const at = now.valueOf()
  if (expiry <= at) return { kind: 'ended', reason: 'expired' }
  if (idle <= at) return { kind: 'ended', reason: 'timed-out' }
  if (!row.isActive) return { kind: 'ended', reason: 'expired' }
  if (Math.min(expiry, idle) - at > warnBeforeMs) return { kind: 'running' }
  return { kind: 'ending', canStay: idle < expiry }
}

/** Whether activity is to be noted now, given when it was last. */
export function isActivityDue(lastNotedMs: number | null, nowMs: number): boolean {
  return lastNotedMs === null || nowMs - lastNotedMs >= activityThrottleMs
}
