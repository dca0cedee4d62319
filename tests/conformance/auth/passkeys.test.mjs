// Unmodified supabase-js against a running server: passkeys and security keys, through
// navigator.credentials as in a browser. The server has them enabled (GOTRUE_PASSKEY_ENABLED,
// GOTRUE_MFA_WEB_AUTHN_…); the site is a loopback address, so they belong to localhost.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { beBrowser } from './authenticator.mjs'
import { admin, client, level, member, refused, signIn, succeed, url } from './account.mjs'

const origin = `http://localhost:${new URL(url).port}`

describe('passkeys', () => {
  test('register, sign in, rename, remove', async () => {
    const { supabase, email } = await member()
    beBrowser(origin)
    const made = succeed(await supabase.auth.registerPasskey())
    assert.equal(made.friendly_name, 'Passkey')

    const other = client()
    const { session, user } = succeed(await other.auth.signInWithPasskey())
    assert.equal(user.email, email)
    assert.equal(succeed(await other.auth.getSession()).session.access_token, session.access_token)
    const reached = await level(other)
    assert.deepEqual(reached.currentAuthenticationMethods.map(({ method }) => method), ['passkey'])

    const [listed] = succeed(await other.auth.passkey.list())
    assert.equal(listed.id, made.id)
    assert.ok(listed.last_used_at)
    const renamed = succeed(await other.auth.passkey.update({ passkeyId: made.id, friendlyName: 'Laptop' }))
    assert.equal(renamed.friendly_name, 'Laptop')
    assert.equal((await supabase.auth.registerPasskey()).error.name, 'InvalidStateError') // the authenticator has one already
    assert.equal(succeed(await other.auth.passkey.delete({ passkeyId: made.id })), null)
    assert.deepEqual(succeed(await other.auth.passkey.list()), [])
    refused(await client().auth.signInWithPasskey(), 400, 'webauthn_verification_failed')
  })

  test('an administrator lists and removes them', async () => {
    const { supabase, id } = await member()
    beBrowser(origin)
    const made = succeed(await supabase.auth.registerPasskey())
    const passkeys = succeed(await admin().auth.admin.passkey.listPasskeys({ userId: id }))
    assert.deepEqual(passkeys.map((passkey) => passkey.id), [made.id])
    assert.equal((await admin().auth.admin.passkey.deletePasskey({ userId: id, passkeyId: made.id })).error, null)
    assert.deepEqual(succeed(await supabase.auth.passkey.list()), [])
  })

  test('of another site', async () => {
    const { supabase } = await member()
    beBrowser('http://localhost:1')
    refused(await supabase.auth.registerPasskey(), 400, 'webauthn_verification_failed')
  })

  test('settings say that there are some', async () => {
    const settings = await (await fetch(`${url}/auth/v1/settings`, { headers: { apikey: process.env.SUPABASE_ANON_KEY } })).json()
    assert.equal(settings.passkeys_enabled, true)
  })
})

describe('security keys', () => {
  test('register and sign in', async () => {
    const { supabase, email } = await member()
    beBrowser(origin)
    succeed(await supabase.auth.mfa.webauthn.register({ friendlyName: 'key' }))
    assert.equal((await level(supabase)).currentLevel, 'aal2')
    const [factor] = succeed(await supabase.auth.mfa.listFactors()).webauthn
    assert.equal(factor.friendly_name, 'key')

    const other = client()
    await signIn(other, email)
    assert.deepEqual([(await level(other)).currentLevel, (await level(other)).nextLevel], ['aal1', 'aal2'])
    succeed(await other.auth.mfa.webauthn.authenticate({ factorId: factor.id }))
    const reached = await level(other)
    assert.equal(reached.currentLevel, 'aal2')
    assert.deepEqual(reached.currentAuthenticationMethods.map(({ method }) => method), ['mfa/webauthn', 'password'])
  })
})
