import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { secondFactorFailure, secondFactorWords } from '@/lib/second-factor'
import { formatHere } from '@/lib/time'
import { messages } from '../messages'
import { codesFile, isLow } from './backup-codes'
import { deviceOf } from './device'
import { eventLabel, eventTone, eventTypes, toEvent } from './event'
import { countOf, isWorrying } from './overview'
import { ipText, thisFirst, toSession } from './session'
import { readTab } from './tab'
import { enableFailure, grouped, qrAddress, setupFailure, toFactor, totpIssuer } from './totp'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

describe('a device', () => {
  it.each([
    [chrome, 'computer', 'Chrome on Linux'],
    [chrome.replace('Chrome', 'HeadlessChrome'), 'computer', 'Chrome on Linux'],
    [`${chrome} Edg/143.0.0.0`, 'computer', 'Edge on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'phone',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0 Mobile/15E148 Safari/604.1',
      'tablet',
      'Chrome on iPad',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/139.0.0.0 Mobile Safari/537.36',
      'phone',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
      'computer',
      'Firefox on Windows',
    ],
    ['node', 'unknown', 'Unknown device'],
    ['', 'unknown', 'Unknown device'],
    [null, 'unknown', 'Unknown device'],
  ])('%j', (agent, kind, label) => {
    expect(deviceOf(agent)).toEqual({ kind, label })
  })
})

describe('sessions', () => {
  const row = (id: string, sessionId: string | null) => ({
    id,
    session_id: sessionId,
    user_agent: chrome,
    ip_address: '203.0.113.7/32',
    created_at: '2026-11-21T10:00:00Z',
    last_activity_at: '2026-11-21T10:00:00Z',
    expires_at: '2026-11-21T18:00:00Z',
  })
  it('SEC-16: device and address are shown as people know them', () => {
    expect(toSession(row('a', 's'))).toMatchObject({
      ip: '203.0.113.7',
      device: { label: 'Chrome on Linux' },
    })
    expect([null, '', '::1', 7].map(ipText)).toEqual([null, null, '::1', null])
  })
  it('this device comes first and is the only one marked', () => {
    const sessions = [row('a', 'x'), row('b', 'y'), row('c', null)].map(toSession)
    const marked = thisFirst(sessions, 'y').map(({ session, isThis }) => [session.id, isThis])
    expect(marked).toEqual([
      ['b', true],
      ['a', false],
      ['c', false],
    ])
    expect(thisFirst(sessions, null).some(({ isThis }) => isThis)).toBe(false)
  })
})

describe('events', () => {
  const row = { id: 'e', ip_address: null, user_agent: null, created_at: '2026-11-21T10:00:00Z' }
  it('SEC-18: the four types have a label of their own', () => {
    expect(eventTypes).toEqual([
      'successful_login',
      'failed_login',
      'account_locked',
      'password_changed',
    ])
    expect(new Set(eventTypes.map(eventLabel)).size).toBe(4)
    expect(new Set(eventTypes.map(eventTone)).size).toBe(4)
  })
  it('an unknown type is shown as an event', () => {
    const event = toEvent({ ...row, event_type: 'moved' })
    expect(event).toMatchObject({ type: null, device: null, ip: null })
    expect(eventLabel(event.type)).toBe('Security event')
  })
  it('SEC-03: what has not happened counts as none; failed logins worry', () => {
    expect(countOf(new Map(), 'failed_login')).toBe(0)
    expect(isWorrying(new Map([['failed_login', 2]]))).toBe(false)
    expect(isWorrying(new Map([['failed_login', 3]]))).toBe(true)
    expect(isWorrying(new Map([['account_locked', 1]]))).toBe(true)
  })
})

it('SEC-02: the tab is stored in the URL', () => {
  const read = (query: string) => readTab(new URLSearchParams(query))
  expect(read('')).toBe('overview')
  expect(read('tab=two-factor')).toBe('two-factor')
  expect(read('tab=x')).toBe('overview')
})

describe('the authenticator', () => {
  it('SEC-07: the issuer of the documents', () => {
    expect(totpIssuer).toBe('Local Business Directory')
  })
  it('SEC-08: a secret is shown in groups of four', () => {
    expect(grouped('ABCDEFGH2345')).toBe('ABCD EFGH 2345')
    expect(grouped('ABCDE')).toBe('ABCD E')
  })
  it('SEC-06: the QR code is a valid data URL, whatever supabase-js prepends, including #', () => {
    const svg = '<svg fill="#000"></svg>'
    const want = `data:image/svg+xml,${encodeURIComponent(svg)}`
    expect(qrAddress(`data:image/svg+xml;utf-8,${svg}`)).toBe(want)
    expect(qrAddress(svg)).toBe(want)
  })
  it('S-21: only what the view shows is known of it', () => {
    const row = { id: 'f', is_verified: null, last_used_at: null, created_at: null }
    expect(toFactor(row)).toEqual({
      id: 'f',
      isVerified: false,
      lastUsedAt: null,
      createdAt: null,
    })
    expect(toFactor({ ...row, id: null })).toBeNull()
  })
  const error = (code: string, status = 422) => new AppError(code, 'raw', { status })
  it('ERR-66: why there is no secret', () => {
    expect(setupFailure(error('no_authorization', 401))).toEqual({
      title: 'Failed to generate TOTP secret',
      text: 'User not authenticated',
    })
    expect(setupFailure(error('x', 500)).text).toBeNull()
  })
  it('ERR-67: what is wrong with a code', () => {
    const said = (code: string, status?: number) => secondFactorFailure(error(code, status), 'totp')
    expect(said('mfa_verification_failed')).toMatch(/^Invalid TOTP code\./)
    expect(said('mfa_factor_not_found')).toBe('TOTP not configured')
    expect(said('unexpected_failure', 500)).toBe('Failed to verify TOTP')
    expect(said('over_request_rate_limit', 429)).toBe(secondFactorWords.tooMany)
    expect(secondFactorFailure(new TypeError('Failed to fetch'), 'totp')).toMatch(
      /^Plaza cannot be reached/,
    )
    expect(secondFactorFailure(error('mfa_verification_failed'), 'backup')).toBe(
      secondFactorWords.invalidBackup,
    )
  })
  it('ERR-68: why it is still off', () => {
    expect(enableFailure(error('mfa_factor_not_found', 404))).toBe('No TOTP secret found')
    expect(enableFailure(error('unexpected_failure', 500))).toBe('Failed to enable TOTP')
    expect(enableFailure(error('mfa_verification_failed'))).toMatch(/^Invalid TOTP code\./)
  })
})

describe('SEC-09: backup codes', () => {
  it('few are a reason to make new ones', () => {
    expect([null, 0, 3, 4].map(isLow)).toEqual([true, true, true, false])
  })
  it('the file says whose they are and that each works once', () => {
    const file = codesFile(['AAAABBBB', 'CCCCDDDD'], 'ona@plaza.test', new Date('2026-11-21'))
    expect(file).toContain('ona@plaza.test')
    expect(file.split('\n').slice(-3)).toEqual(['AAAABBBB', 'CCCCDDDD', ''])
  })
})

it('formats an instant in the own time zone, with the year if it differs', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(formatHere(new Date('2026-11-20T09:05:00Z'), now)).toBe('Fri 20 Nov, 09:05')
  expect(formatHere(new Date('2025-11-20T09:05:00Z'), now)).toBe('Thu 20 Nov 2025, 09:05')
  expect(messages.sessionsCount(1)).toBe('You are signed in on 1 device')
})
