import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { canUsePasskeys, isDismissed } from '@/lib/webauthn'
import { messages } from '../messages'
import { passkeyFailure, toPasskey } from './passkey'
import { passkeyNameSchema } from './passkey-name'

const named = (name: string) => Object.assign(new Error('x'), { name })

describe('a passkey', () => {
  it('without a name is called what it is', () => {
    expect(toPasskey({ id: 'p', created_at: '2026-11-21T10:00:00Z' })).toEqual({
      id: 'p',
      name: 'Passkey',
      createdAt: '2026-11-21T10:00:00Z',
      lastUsedAt: null,
    })
  })
  it('has a name of 1 to 120 characters', () => {
    const said = (name: string) => passkeyNameSchema.safeParse({ name }).error?.issues[0]?.message
    expect(said(' Laptop ')).toBeUndefined()
    expect(said('  ')).toBe(messages.passkeyNameMissing)
    expect(said('x'.repeat(121))).toBe(messages.passkeyNameLong)
  })
  it('a dismissed dialog is not a failure', () => {
    expect(isDismissed(named('NotAllowedError'))).toBe(true)
    expect(isDismissed(new Error('x', { cause: named('AbortError') }))).toBe(true)
    expect(isDismissed(new AppError('ERROR_CEREMONY_ABORTED', 'x'))).toBe(true)
    expect(isDismissed(new Error('x'))).toBe(false)
    expect(passkeyFailure(named('NotAllowedError'))).toBeNull()
  })
  it('that could not be made says why', () => {
    const said = (code: string) => passkeyFailure(new AppError(code, 'raw', { status: 422 }))
    expect(said('ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')).toBe(messages.passkeyExists)
    expect(said('webauthn_credential_exists')).toBe(messages.passkeyExists)
    expect(said('too_many_passkeys')).toBe(messages.passkeyTooMany)
    expect(said('webauthn_verification_failed')).toBe(messages.passkeyFailedText)
    expect(passkeyFailure(new TypeError('Failed to fetch'))).toMatch(/^Plaza cannot be reached/)
  })
  it('needs a browser that has them', () => {
    expect(canUsePasskeys()).toBe(false)
  })
})
