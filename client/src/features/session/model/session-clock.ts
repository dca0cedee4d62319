/** Minimum interval for recording activity (AUTH-19). */
export const activityThrottleMs = 60_000
/** Interval for checking the inactivity timeout (AUTH-21). */
export const checkEveryMs = 60_000
/** How long before the end the warning is shown (AUTH-22). */
export const warnBeforeMs = 5 * 60_000
/** The timeout if the profile has none (AUTH-20). */
export const defaultTimeoutMinutes = 480

/** A session's row on the server. */
export type SessionRow = {
  isActive: boolean
  expiresAt: string
  lastActivityAt: string
}

export type SessionStanding =
  | { kind: 'running' }
  /** `canStay`: activity extends the session; a row's own expiry is fixed. */
  | { kind: 'ending'; canStay: boolean }
  | { kind: 'ended'; reason: 'expired' | 'timed-out' }

const minute = 60_000

/**
 * Returns the state of a session at an instant. A row past its expiry has 'expired', one without
 * activity for the timeout has 'timed out' (AUTH-23); one ended elsewhere counts as expired.
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

/** Reports whether activity should be recorded now, given when it was last recorded. */
export function isActivityDue(lastNotedMs: number | null, nowMs: number): boolean {
  return lastNotedMs === null || nowMs - lastNotedMs >= activityThrottleMs
}
