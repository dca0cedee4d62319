// Unmodified supabase-js against a running server: second factors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admin, client, level, mailsTo, member, newNumber, refused, signIn, succeed, totp } from './account.mjs'

/**
 * An account with a verified authenticator app; its next code is one step ahead, as each is
 * accepted once.
 */
async function memberWithApp() {
  const who = await member()
  const app = succeed(await who.supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }))
  succeed(await who.supabase.auth.mfa.challengeAndVerify({ factorId: app.id, code: totp(app.totp.secret) }))
  return { ...who, app }
}

describe('authenticator apps', () => {
  test('FN-15, S-22: enrol with a QR code that the server draws, challenge, verify', async () => {
    const { supabase } = await member()
    assert.deepEqual([(await level(supabase)).currentLevel, (await level(supabase)).nextLevel], ['aal1', 'aal1'])
    const app = succeed(await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone', issuer: 'Plaza' }))
    assert.equal(app.type, 'totp')
    assert.equal(app.friendly_name, 'phone')
    assert.match(app.totp.secret, /^[A-Z2-7]{32}$/)
    assert.match(app.totp.uri, /^otpauth:\/\/totp\/Plaza:/)
    assert.match(app.totp.qr_code, /^data:image\/svg\+xml;utf-8,<svg [^#%\n]*<\/svg>$/)

    const challenge = succeed(await supabase.auth.mfa.challenge({ factorId: app.id }))
    assert.equal(challenge.type, 'totp')
    assert.ok(challenge.expires_at > Date.now() / 1000)
    const wrong = totp(app.totp.secret, 7)
    refused(await supabase.auth.mfa.verify({ factorId: app.id, challengeId: challenge.id, code: wrong }), 422, 'mfa_verification_failed')
    const events = []
    supabase.auth.onAuthStateChange((event) => events.push(event))
    const verified = succeed(await supabase.auth.mfa.verify({ factorId: app.id, challengeId: challenge.id, code: totp(app.totp.secret) }))
    assert.equal(verified.token_type, 'bearer')
    assert.ok(events.includes('MFA_CHALLENGE_VERIFIED'))

    const reached = await level(supabase)
    assert.deepEqual([reached.currentLevel, reached.nextLevel], ['aal2', 'aal2'])
    assert.deepEqual(reached.currentAuthenticationMethods.map(({ method }) => method), ['totp', 'password'])
    const { session } = succeed(await supabase.auth.refreshSession())
    assert.equal(session.user.factors.length, 1)
    assert.equal((await level(supabase)).currentLevel, 'aal2')
  })

  test('list and unenrol', async () => {
    const { supabase, app } = await memberWithApp()
    const begun = succeed(await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'tablet' }))
    const { all, totp: apps } = succeed(await supabase.auth.mfa.listFactors())
    assert.deepEqual(all.map(({ id }) => id), [app.id, begun.id])
    assert.deepEqual(apps.map(({ id }) => id), [app.id])
    assert.deepEqual(succeed(await supabase.auth.mfa.unenroll({ factorId: begun.id })), { id: begun.id })
    succeed(await supabase.auth.mfa.unenroll({ factorId: app.id }))
    refused(await supabase.auth.mfa.unenroll({ factorId: app.id }), 404, 'mfa_factor_not_found')
    succeed(await supabase.auth.refreshSession())
    assert.deepEqual([(await level(supabase)).currentLevel, (await level(supabase)).nextLevel], ['aal1', 'aal1'])
  })

  test('a sign-in, and actions that need the second level', async () => {
    const { supabase, email, app } = await memberWithApp()
    const other = client()
    await signIn(other, email)
    assert.deepEqual([(await level(other)).currentLevel, (await level(other)).nextLevel], ['aal1', 'aal2'])
    refused(await other.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' }), 403, 'insufficient_aal')
    refused(await other.auth.mfa.unenroll({ factorId: app.id }), 422, 'insufficient_aal')
    refused(await other.auth.updateUser({ password: 'Longer-still-2' }), 401, 'insufficient_aal')
    const code = totp(app.totp.secret, 1)
    succeed(await other.auth.mfa.challengeAndVerify({ factorId: app.id, code }))
    assert.equal((await level(other)).currentLevel, 'aal2')
    succeed(await supabase.auth.getUser())
    refused(await supabase.auth.mfa.challengeAndVerify({ factorId: app.id, code }), 422, 'mfa_verification_failed')
  })
})

describe('recovery codes', () => {
  test('make, use, replace, remove', async () => {
    const { supabase, email } = await memberWithApp()
    refused(await supabase.auth.mfa.recoveryCodes.getStatus(), 404, 'mfa_factor_not_found')
    const made = succeed(await supabase.auth.mfa.recoveryCodes.generate({ friendlyName: 'Paper' }))
    assert.deepEqual([made.type, made.friendly_name, made.total, made.codes.length], ['recovery_code', 'Paper', 10, 10])
    for (const code of made.codes) assert.match(code, /^[A-HJKMNP-Z2-9]{8}$/)
    refused(await supabase.auth.mfa.recoveryCodes.generate(), 422, 'mfa_verified_factor_exists')

    const other = client()
    await signIn(other, email)
    refused(await other.auth.mfa.recoveryCodes.regenerate(), 403, 'insufficient_aal')
    refused(await other.auth.mfa.recoveryCodes.verify({ code: 'ABCDEFGH' }), 422, 'mfa_verification_failed')
    succeed(await other.auth.mfa.recoveryCodes.verify({ code: made.codes[0].toLowerCase() }))
    const reached = await level(other)
    assert.equal(reached.currentLevel, 'aal2')
    assert.equal(reached.currentAuthenticationMethods[0].method, 'mfa/recovery_code')
    refused(await other.auth.mfa.recoveryCodes.verify({ code: made.codes[0] }), 422, 'mfa_verification_failed')
    const { id, type, total, remaining } = succeed(await other.auth.mfa.recoveryCodes.getStatus())
    assert.deepEqual({ id, type, total, remaining }, { id: made.id, type: 'recovery_code', total: 10, remaining: 9 })
    assert.deepEqual(succeed(await other.auth.mfa.listFactors()).recovery_code.map((factor) => factor.id), [made.id])

    const fresh = succeed(await other.auth.mfa.recoveryCodes.regenerate())
    assert.equal(fresh.id, made.id)
    refused(await other.auth.mfa.recoveryCodes.verify({ code: made.codes[1] }), 422, 'mfa_verification_failed')
    assert.deepEqual(succeed(await supabase.auth.mfa.recoveryCodes.unenroll()), { id: made.id })
    refused(await supabase.auth.mfa.recoveryCodes.getStatus(), 404, 'mfa_factor_not_found')
  })

  test('are never the only factor', async () => {
    const { supabase } = await member()
    refused(await supabase.auth.mfa.recoveryCodes.generate(), 422, 'mfa_recovery_codes_sole_factor')
  })
})

describe('codes by SMS', () => {
  test('enrol, challenge, verify', async () => {
    const { supabase } = await member()
    const number = newNumber()
    const factor = succeed(await supabase.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'mobile', phone: `+${number}` }))
    assert.equal(factor.phone, `+${number}`)
    const challenge = succeed(await supabase.auth.mfa.challenge({ factorId: factor.id, channel: 'sms' }))
    assert.equal(challenge.type, 'phone')
    const [message] = await mailsTo(number)
    const code = /\b(\d{6})\b/.exec(message.text)[1]
    refused(await supabase.auth.mfa.challenge({ factorId: factor.id, channel: 'sms' }), 429, 'over_sms_send_rate_limit')
    succeed(await supabase.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code }))
    const reached = await level(supabase)
    assert.deepEqual(reached.currentAuthenticationMethods.map(({ method }) => method), ['mfa/phone', 'password'])
    assert.deepEqual(succeed(await supabase.auth.mfa.listFactors()).phone.map(({ id }) => id), [factor.id])
  })
})

describe('administrators', () => {
  test('list and delete factors', async () => {
    const { supabase, id, app } = await memberWithApp()
    const { factors } = succeed(await admin().auth.admin.mfa.listFactors({ userId: id }))
    assert.deepEqual(factors.map((factor) => [factor.id, factor.status]), [[app.id, 'verified']])
    succeed(await admin().auth.admin.mfa.deleteFactor({ userId: id, id: app.id }))
    succeed(await supabase.auth.refreshSession())
    assert.equal((await level(supabase)).currentLevel, 'aal1')
    const other = client()
    refused(await other.auth.admin.mfa.listFactors({ userId: id }), 403, 'not_admin')
  })
})
