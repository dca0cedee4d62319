// Unmodified supabase-js in plain Node against a running server: accounts, sessions and mails.
// SUPABASE_URL and SUPABASE_ANON_KEY select the server, which catches mails in its dev inbox and
// does not delay them (GOTRUE_SMTP_MAX_FREQUENCY=0s).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admin, client, key, letterTo, member, newAddress, newPassword, password, press, refused, send, signIn, succeed, url } from './account.mjs'

async function signedInAgain(email) {
  const supabase = client()
  const { session } = await signIn(supabase, email)
  return { supabase, session }
}

describe('sign-up', () => {
  test('API-03: a new account waits for its confirmation, by link', async () => {
    const supabase = client()
    const email = newAddress()
    const { user, session } = succeed(
      await supabase.auth.signUp({ email, password, options: { data: { full_name: 'Núria' }, emailRedirectTo: `${url}/auth/callback` } }),
    )
    assert.equal(session, null)
    assert.equal(user.identities.length, 1)
    refused(await supabase.auth.signInWithPassword({ email, password }), 400, 'email_not_confirmed')

    const target = await press((await letterTo(email)).link)
    assert.equal(`${target.origin}${target.pathname}`, `${url}/auth/callback`)
    const fragment = new URLSearchParams(target.hash.slice(1))
    assert.equal(fragment.get('type'), 'signup')
    const signedIn = succeed(
      await supabase.auth.setSession({ access_token: fragment.get('access_token'), refresh_token: fragment.get('refresh_token') }),
    )
    assert.equal(signedIn.user.email, email)
    assert.deepEqual(signedIn.user.user_metadata, { full_name: 'Núria', email_verified: true })
  })

  test('a link that was only looked at is not used up', async () => {
    const email = newAddress()
    succeed(await client().auth.signUp({ email, password }))
    const { link } = await letterTo(email)
    for (let looks = 0; looks < 3; looks++) await (await fetch(link)).text()
    assert.match((await press(link)).hash, /access_token=/)
    assert.match((await press(link)).hash, /error_code=otp_expired/)
  })

  test('a known address is answered as a new one', async () => {
    const { email } = await member()
    const { user, session } = succeed(await client().auth.signUp({ email, password: newPassword }))
    assert.equal(session, null)
    assert.equal(user.email, email)
    succeed(await client().auth.signInWithPassword({ email, password }))
  })

  test('RULE-01: an address is kept in small letters', async () => {
    const email = newAddress()
    const { user } = succeed(await client().auth.signUp({ email: email.toUpperCase(), password }))
    assert.equal(user.email, email)
    const { code } = await letterTo(email)
    succeed(await client().auth.verifyOtp({ email, token: code, type: 'signup' }))
    succeed(await client().auth.signInWithPassword({ email: email.toUpperCase(), password }))
  })

  test('RULE-01: weak passwords and broken addresses are refused', async () => {
    const weak = refused(await client().auth.signUp({ email: newAddress(), password: 'abc' }), 422, 'weak_password')
    assert.ok(weak.reasons.includes('length'))
    for (const email of ['nobody', ` ${newAddress()}`]) refused(await client().auth.signUp({ email, password }), 400, 'validation_failed')
    refused(await client().auth.signInAnonymously(), 422, 'anonymous_provider_disabled')
  })

  test('resend sends again', async () => {
    const email = newAddress()
    succeed(await client().auth.signUp({ email, password }))
    const first = await letterTo(email)
    succeed(await client().auth.resend({ type: 'signup', email }))
    refused(await client().auth.verifyOtp({ email, token: first.code === (await letterTo(email, 2)).code ? '' : first.code, type: 'signup' }), 403, 'otp_expired')
    succeed(await client().auth.verifyOtp({ email, token: (await letterTo(email, 2)).code, type: 'signup' }))
  })
})

describe('sign-in', () => {
  test('API-02: password sign-in, getUser and getClaims', async () => {
    const { supabase, email, session, user } = await member()
    assert.equal(session.token_type, 'bearer')
    assert.equal(session.expires_in, 3600)
    assert.equal(succeed(await supabase.auth.getUser()).user.id, user.id)
    const { claims } = succeed(await supabase.auth.getClaims())
    assert.equal(claims.sub, user.id)
    assert.equal(claims.role, 'authenticated')
    assert.equal(claims.aal, 'aal1')
    assert.equal(claims.amr[0].method, 'password')
    refused(await client().auth.signInWithPassword({ email, password: 'wrong' }), 400, 'invalid_credentials')
    refused(await client().auth.signInWithPassword({ email: newAddress(), password }), 400, 'invalid_credentials')
    const levels = succeed(await supabase.auth.mfa.getAuthenticatorAssuranceLevel())
    assert.equal(levels.currentLevel, 'aal1')
  })

  test('by a mailed code, and by token_hash', async () => {
    const email = newAddress()
    succeed(await client().auth.signInWithOtp({ email }))
    succeed(await client().auth.verifyOtp({ email, token: (await letterTo(email)).code, type: 'email' }))
    succeed(await client().auth.signInWithOtp({ email }))
    const { link } = await letterTo(email, 2)
    const { session } = succeed(await client().auth.verifyOtp({ token_hash: link.searchParams.get('token'), type: 'email' }))
    assert.equal(session.user.email, email)
    refused(await client().auth.signInWithOtp({ email: newAddress(), options: { shouldCreateUser: false } }), 422, 'otp_disabled')
  })

  test('a token of an unknown user is refused', async () => {
    const { error } = await client().auth.getUser('x.y.z')
    assert.equal(error.status, 403)
    assert.equal(error.code, 'bad_jwt')
  })
})

describe('sessions', () => {
  test('API-06: the session, its changes, and whose it is', async () => {
    const { email, user } = await member()
    const supabase = client()
    const events = []
    const { subscription } = supabase.auth.onAuthStateChange((event, session) => events.push([event, session?.user.id])).data
    assert.equal(succeed(await supabase.auth.getSession()).session, null)
    assert.notEqual((await supabase.auth.getUser()).error, null)
    succeed(await supabase.auth.signInWithPassword({ email, password }))
    assert.equal(succeed(await supabase.auth.getSession()).session.user.id, user.id)
    assert.equal(succeed(await supabase.auth.getUser()).user.email, email)
    assert.equal((await supabase.auth.signOut()).error, null)
    assert.deepEqual(events, [['INITIAL_SESSION', undefined], ['SIGNED_IN', user.id], ['SIGNED_OUT', undefined]])
    subscription.unsubscribe()
    succeed(await supabase.auth.signInWithPassword({ email, password }))
    assert.equal(events.length, 3)
  })

  test('refreshSession rotates, and ten tabs at once keep one session', async () => {
    const { supabase, session } = await member()
    const rotated = succeed(await supabase.auth.refreshSession()).session
    assert.notEqual(rotated.refresh_token, session.refresh_token)
    const tabs = await Promise.all(Array.from({ length: 10 }, () => client().auth.refreshSession({ refresh_token: rotated.refresh_token })))
    const tokens = new Set(tabs.map((tab) => succeed(tab).session.refresh_token))
    assert.equal(tokens.size, 1)
    refused(await client().auth.refreshSession({ refresh_token: 'aaaabbbbcccc' }), 400, 'refresh_token_not_found')
  })

  for (const [scope, hereStays, thereStays] of [['local', false, true], ['others', true, false], ['global', false, false]]) {
    test(`AUTH-09: signOut with scope ${scope}`, async () => {
      const here = await member()
      const there = await signedInAgain(here.email)
      assert.equal((await here.supabase.auth.signOut({ scope })).error, null)
      const stays = async (session) => (await client().auth.getUser(session.access_token)).error === null
      assert.equal(await stays(here.session), hereStays)
      assert.equal(await stays(there.session), thereStays)
      const refreshed = await client().auth.refreshSession({ refresh_token: there.session.refresh_token })
      assert.equal(refreshed.error === null, thereStays)
    })
  }
})

describe('account', () => {
  test('updateUser merges data key by key', async () => {
    const { supabase } = await member()
    succeed(await supabase.auth.updateUser({ data: { a: 1, b: [2] } }))
    const { user } = succeed(await supabase.auth.updateUser({ data: { a: null, c: { d: 3 } } }))
    assert.deepEqual(user.user_metadata, { full_name: 'Núria Test', email_verified: true, b: [2], c: { d: 3 } })
  })

  test('API-08: a new password ends the other sessions', async () => {
    const { supabase, email } = await member()
    const there = await signedInAgain(email)
    refused(await supabase.auth.updateUser({ password, current_password: password }), 422, 'same_password')
    refused(await supabase.auth.updateUser({ password: newPassword, current_password: 'wrong' }), 400, 'current_password_invalid')
    succeed(await supabase.auth.updateUser({ password: newPassword, current_password: password }))
    assert.notEqual((await there.supabase.auth.getUser()).error, null)
    succeed(await supabase.auth.getUser())
    succeed(await client().auth.signInWithPassword({ email, password: newPassword }))
  })

  test('a new address is confirmed by both', async () => {
    const { supabase, email } = await member()
    const moved = newAddress()
    const { user } = succeed(await supabase.auth.updateUser({ email: moved }))
    assert.equal(user.new_email, moved)
    assert.match((await press((await letterTo(moved)).link)).hash, /message=Confirmation/)
    assert.match((await press((await letterTo(email, 2)).link)).hash, /access_token=/)
    succeed(await client().auth.signInWithPassword({ email: moved, password }))
    const taken = await member()
    refused(await taken.supabase.auth.updateUser({ email: moved }), 422, 'email_exists')
  })

  test('resetPasswordForEmail, with and without an account', async () => {
    const { email } = await member()
    succeed(await client().auth.resetPasswordForEmail(newAddress()))
    succeed(await client().auth.resetPasswordForEmail(email, { redirectTo: `${url}/reset` }))
    const target = await press((await letterTo(email, 2)).link)
    assert.equal(target.pathname, '/reset')
    const fragment = new URLSearchParams(target.hash.slice(1))
    assert.equal(fragment.get('type'), 'recovery')
    const supabase = client()
    succeed(await supabase.auth.setSession({ access_token: fragment.get('access_token'), refresh_token: fragment.get('refresh_token') }))
    succeed(await supabase.auth.updateUser({ password: newPassword }))
    succeed(await client().auth.signInWithPassword({ email, password: newPassword }))
  })
})

describe('PKCE', () => {
  test('API-07, AUTH-13: sign-up, then the code of the link is exchanged, once', async () => {
    const supabase = client({ flowType: 'pkce' })
    const email = newAddress()
    succeed(await supabase.auth.signUp({ email, password, options: { emailRedirectTo: `${url}/auth/callback` } }))
    const target = await press((await letterTo(email)).link)
    const code = target.searchParams.get('code')
    assert.ok(code)
    assert.equal(target.hash, '')
    const { session } = succeed(await supabase.auth.exchangeCodeForSession(code))
    assert.equal(session.user.email, email)
    const again = await supabase.auth.exchangeCodeForSession(code)
    assert.notEqual(again.error, null)
  })

  test('another browser cannot exchange the code of a recovery', async () => {
    const { email } = await member()
    const supabase = client({ flowType: 'pkce' })
    succeed(await supabase.auth.resetPasswordForEmail(email, { redirectTo: `${url}/reset` }))
    const code = (await press((await letterTo(email, 2)).link)).searchParams.get('code')
    const other = client({ flowType: 'pkce' })
    succeed(await other.auth.resetPasswordForEmail(newAddress()))
    refused(await other.auth.exchangeCodeForSession(code), 400, 'bad_code_verifier')
    const { session } = succeed(await supabase.auth.exchangeCodeForSession(code))
    assert.equal(session.user.email, email)
    succeed(await supabase.auth.updateUser({ password: newPassword }))
  })
})

describe('access ends with the session', () => {
  const surfaces = (supabase, token) => ({
    rest: supabase.from('profiles').select('id').limit(1).setHeader('Authorization', `Bearer ${token}`),
    storage: fetch(`${url}/storage/v1/bucket`, { headers: { apikey: key, authorization: `Bearer ${token}` } }),
    functions: supabase.functions.invoke('generate-csrf-token', { body: { sessionId: 'a' }, headers: { Authorization: `Bearer ${token}` } }),
  })

  async function opens(token) {
    const { rest, storage, functions } = surfaces(client({ persistSession: false }), token)
    assert.equal((await rest).error, null)
    assert.equal((await storage).status, 200)
    assert.equal((await functions).error, null)
  }

  async function opensNothing(token, code) {
    const { rest, storage, functions } = surfaces(client({ persistSession: false }), token)
    const data = await rest
    assert.equal(data.status, 401)
    assert.equal(data.error.code, 'PGRST303')
    const stored = await storage
    assert.ok(stored.status >= 400, 'storage')
    const { error } = await functions
    assert.equal(error.context.status, 401)
    assert.equal((await error.context.json()).code, code)
    const user = await send('GET /user', { as: token, 'x-supabase-api-version': '2024-01-01' })
    assert.equal(user.status, 403)
    assert.equal(user.json.code, code)
  }

  test('a signed-out access token opens nothing', async () => {
    const { supabase, session } = await member()
    await opens(session.access_token)
    succeed(await supabase.auth.signOut().then(({ error }) => ({ data: {}, error })))
    await opensNothing(session.access_token, 'session_not_found')
  })

  test('a banned user is out until the ban is lifted', async () => {
    const { id, session } = await member()
    succeed(await admin().auth.admin.updateUserById(id, { ban_duration: '24h' }))
    await opensNothing(session.access_token, 'user_banned')
    succeed(await admin().auth.admin.updateUserById(id, { ban_duration: 'none' }))
    await opens(session.access_token)
  })

  test('a deleted user is out', async () => {
    const { id, session } = await member()
    succeed(await admin().auth.admin.deleteUser(id))
    const { error, status } = await surfaces(client({ persistSession: false }), session.access_token).rest
    assert.equal(status, 401)
    assert.equal(error.code, 'PGRST303')
  })
})

test('the largest metadata that is taken makes a token that every service takes', async () => {
  const { supabase, session } = await member()
  const text = 'x'.repeat(16_000)
  refused(await supabase.auth.updateUser({ data: { text: text + text } }), 422, 'metadata_too_large')
  succeed(await supabase.auth.updateUser({ data: { text } }))
  succeed(await admin().auth.admin.updateUserById(session.user.id, { app_metadata: { text } }))
  const fresh = succeed(await supabase.auth.refreshSession()).session
  assert.ok(fresh.access_token.length > 40_000)
  assert.equal((await supabase.from('profiles').select('id').limit(1)).error, null)
  succeed(await supabase.storage.listBuckets())
  succeed(await supabase.auth.getUser())
})

test('S-06: wrong passwords are answered alike for known and unknown addresses, and the owner gets a link that unlocks', async () => {
  const { email } = await member()
  const nobody = newAddress()
  const wrong = async (address) => (await client().auth.signInWithPassword({ email: address, password: 'Wrong-one-1' })).error
  for (let attempt = 1; attempt <= 6; attempt++) {
    const [known, unknown] = [await wrong(email), await wrong(nobody)]
    assert.deepEqual([unknown.status, unknown.code, unknown.message], [known.status, known.code, known.message])
    assert.equal(known.message.includes('locked'), attempt >= 5)
  }
  refused(await client().auth.signInWithPassword({ email, password }), 400, 'invalid_credentials')
  assert.match((await press((await letterTo(email, 2)).link)).hash, /access_token=/)
  succeed(await client().auth.signInWithPassword({ email, password }))
})
