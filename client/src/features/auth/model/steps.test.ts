import { describe, expect, it } from 'vitest'
import { hasRole, roles } from '@/lib/role'
import { authModes, authSearch, readAuthAddress } from './auth-mode'
import { guardStep, stepText } from './guard-step'
import { readProviders } from './providers'
import { hasPassword } from './sign-in-ways'

describe('the address of /auth', () => {
  const read = (query: string) => readAuthAddress(new URLSearchParams(query))
  it('ROUTE-02, ROUTE-04: mode and role, and nothing else', () => {
    expect(read('')).toEqual({ mode: 'sign-in', role: 'user' })
    expect(read('mode=register&role=owner')).toEqual({ mode: 'register', role: 'owner' })
    expect(read('mode=nonsense&role=admin')).toEqual({ mode: 'sign-in', role: 'user' })
  })
  it('is written as it is read', () => {
    expect(authSearch({ mode: 'sign-in', role: 'user' })).toBe('')
    expect(authSearch({ mode: 'register', role: 'owner' })).toBe('?mode=register&role=owner')
    for (const mode of authModes) {
      expect(read(authSearch({ mode, role: 'owner' }))).toEqual({ mode, role: 'owner' })
    }
  })
})

describe('the guard', () => {
  const facts = {
    session: 'signed-in',
    account: { role: 'user' },
    isFailed: false,
    isCreationFailed: false,
    required: 'user',
  } as const
  it('AUTH-17: session, role, profile, rank, in this order', () => {
    const unknown = { ...facts, account: undefined }
    expect(guardStep({ ...unknown, session: 'pending' })).toBe('session')
    expect(guardStep(unknown)).toBe('role')
    expect(guardStep({ ...unknown, required: 'admin' })).toBe('verifying')
    expect(guardStep({ ...facts, account: null })).toBe('creating')
    expect(guardStep(facts)).toBe('granted')
  })
  it('PERM-03: signed out, whatever was known before', () => {
    expect(guardStep({ ...facts, session: 'signed-out' })).toBe('signed-out')
    expect(guardStep({ ...facts, session: 'unread' })).toBe('unread')
  })
  it('AUTH-16, ERR-21: a profile that cannot be read or made', () => {
    expect(guardStep({ ...facts, account: undefined, isFailed: true })).toBe('failed')
    expect(guardStep({ ...facts, account: null, isCreationFailed: true })).toBe('creation-failed')
  })
  it('PERM-01, PERM-05: every role against every requirement', () => {
    for (const role of roles) {
      for (const required of roles) {
        const reaches = roles.indexOf(role) >= roles.indexOf(required)
        expect(hasRole(role, required)).toBe(reaches)
        const step = guardStep({ ...facts, account: { role }, required })
        expect(step).toBe(reaches ? 'granted' : 'denied')
      }
    }
  })
  it("AUTH-17: the document's words", () => {
    const texts = (['session', 'role', 'creating', 'granted', 'verifying'] as const).map((step) =>
      stepText(step, 'owner'),
    )
    expect(texts).toEqual([
      'Checking session...',
      'Checking user role...',
      'Creating user profile...',
      'Access granted',
      'Verifying owner access...',
    ])
  })
})

it('AUTH-03, AUTH-07: Google, phone and passkeys are offered only where the server says so', () => {
  expect(
    readProviders({ external: { google: true, phone: true }, passkeys_enabled: true }),
  ).toEqual({
    google: true,
    phone: true,
    passkey: true,
  })
  for (const answer of [{ external: { google: false } }, { external: {} }, {}, null, 'x']) {
    expect(readProviders(answer)).toEqual({ google: false, phone: false, passkey: false })
  }
})

it('PROFILE-04: a password is changed by those who have one', () => {
  const has = (app_metadata: Record<string, unknown>) => hasPassword({ app_metadata })
  expect(has({ provider: 'email', providers: ['email'] })).toBe(true)
  expect(has({ provider: 'google', providers: ['google', 'email'] })).toBe(true)
  expect(has({ provider: 'email' })).toBe(true)
  expect(has({ provider: 'google', providers: ['google'] })).toBe(false)
  expect(has({ provider: 'phone', providers: ['phone'] })).toBe(false)
  expect(has({})).toBe(false)
})
