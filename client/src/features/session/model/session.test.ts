// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import {
  activityThrottleMs,
  checkEveryMs,
  defaultTimeoutMinutes,
  isActivityDue,
  sessionStanding,
  warnBeforeMs,
} from './session-clock'
import { forgetSessionToken, readSessionToken, storeSessionToken } from './session-token'

const now = new Date('2026-11-21T12:00:00Z')
const minutes = (count: number) => new Date(now.valueOf() + count * 60_000).toISOString()
const row = (over: { expires?: number; active?: number; isActive?: boolean }) => ({
  isActive: over.isActive ?? true,
  expiresAt: minutes(over.expires ?? 400),
  lastActivityAt: minutes(over.active ?? 0),
})

it('AUTH-18 to AUTH-22, CONST-01: the constants of the document', () => {
  expect(activityThrottleMs).toBe(60_000)
  expect(checkEveryMs).toBe(60_000)
  expect(warnBeforeMs).toBe(300_000)
  expect(defaultTimeoutMinutes).toBe(480)
})

describe('the state of a session', () => {
  const stands = (over: Parameters<typeof row>[0], timeout = 480) =>
    sessionStanding(row(over), timeout, now)
  it('runs', () => {
    expect(stands({})).toEqual({ kind: 'running' })
    expect(stands({ expires: 6 })).toEqual({ kind: 'running' })
  })
  it('AUTH-22: five minutes before either end; only inactivity can be put off', () => {
    expect(stands({ expires: 5 })).toEqual({ kind: 'ending', canStay: false })
    expect(stands({ active: -475 })).toEqual({ kind: 'ending', canStay: true })
    expect(stands({ active: -474 })).toEqual({ kind: 'running' })
  })
  it('AUTH-20: the time-out of the profile counts', () => {
    expect(stands({ active: -26 }, 30)).toEqual({ kind: 'ending', canStay: true })
    expect(stands({ active: -30 }, 30)).toEqual({ kind: 'ended', reason: 'timed-out' })
  })
  it('AUTH-23: distinguishes row expiry from inactivity', () => {
    expect(stands({ expires: 0 })).toEqual({ kind: 'ended', reason: 'expired' })
    expect(stands({ active: -480 })).toEqual({ kind: 'ended', reason: 'timed-out' })
    expect(stands({ expires: -1, active: -481 })).toEqual({ kind: 'ended', reason: 'expired' })
  })
  it('one ended from elsewhere is over', () => {
    expect(stands({ isActive: false })).toEqual({ kind: 'ended', reason: 'expired' })
    expect(stands({ isActive: false, active: -480 })).toEqual({
      kind: 'ended',
      reason: 'timed-out',
    })
  })
})

it('AUTH-19: activity is noted at most once a minute', () => {
  expect(isActivityDue(null, 0)).toBe(true)
  expect(isActivityDue(1000, 60_999)).toBe(false)
  expect(isActivityDue(1000, 61_000)).toBe(true)
})

it('AUTH-25: the session token has its key, and counts for its session only', () => {
  storeSessionToken({ sessionId: 'a', token: 't' })
  expect(localStorage.getItem('plaza.session-token')).not.toBeNull()
  expect(readSessionToken('a')).toBe('t')
  expect(readSessionToken('b')).toBeNull()
  localStorage.setItem('plaza.session-token', '"nonsense"')
  expect(readSessionToken('a')).toBeNull()
  forgetSessionToken()
  expect(localStorage.getItem('plaza.session-token')).toBeNull()
})
