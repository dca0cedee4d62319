import type { Session } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import { sessionStateOf } from './session'
import { readClaims } from './token'

const token = (claims: unknown) => `x.${btoa(JSON.stringify(claims))}.y`

it('reads the session and the assurance of a token, and takes no nonsense', () => {
  expect(readClaims(token({ session_id: 'abc', aal: 'aal2' }))).toEqual({
    sessionId: 'abc',
    aal: 'aal2',
  })
  const nothing = { sessionId: null, aal: 'aal1' }
  for (const bad of [
    '',
    'x',
    'x.%%%.y',
    token({}),
    token(null),
    token({ session_id: 1, aal: 2 }),
  ]) {
    expect(readClaims(bad)).toEqual(nothing)
  }
})

describe('C-11, S-24: a session of a user with a second factor', () => {
  const user = { id: 'u', app_metadata: {}, user_metadata: {}, aud: '', created_at: '' }
  const at = { created_at: '', updated_at: '', friendly_name: 'Phone' }
  const totp = { id: 'f', factor_type: 'totp', status: 'verified', ...at } as const
  const session = (aal: string, factors: Session['user']['factors']): Session => ({
    access_token: token({ session_id: 's', aal }),
    refresh_token: 'r',
    expires_in: 3600,
    token_type: 'bearer',
    user: { ...user, ...(factors && { factors }) },
  })
  it('is signed out until the code was entered', () => {
    expect(sessionStateOf(session('aal1', [totp]))).toEqual({
      status: 'signed-out',
      user: null,
      isLost: false,
      isUnread: false,
      secondFactors: [{ id: 'f', name: 'Phone' }],
    })
    expect(sessionStateOf(session('aal2', [totp]))).toMatchObject({
      status: 'signed-in',
      sessionId: 's',
    })
  })
  it('asks for nothing where none is verified', () => {
    expect(sessionStateOf(session('aal1', undefined)).status).toBe('signed-in')
    expect(sessionStateOf(session('aal1', [{ ...totp, status: 'unverified' }])).status).toBe(
      'signed-in',
    )
  })
})
