// Unmodified auth-js against a running server: sign-in with an external provider and linked
// identities. The provider is the server's own for development, which replaces Google. Linking
// needs GOTRUE_SECURITY_MANUAL_LINKING_ENABLED=true.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import * as account from './account.mjs'
import { admin, claimsOf, refused, succeed, submit, url, key } from './account.mjs'

const home = `${url}/auth/callback`
const pkce = { flowType: 'pkce' }
const client = (auth) => account.client({ ...pkce, ...auth })
const member = () => account.member({ auth: pkce })

const newPerson = () => ({ name: 'Núria Test', email: `${randomUUID()}@example.com`, verified: '1' })

/**
 * Acts as a browser at the provider: opens the page, presses a button, follows the redirect back.
 */
const atProvider = async (address, pressed) => submit(await fetch(address), 'authorize', pressed)

async function follow(address) {
  const back = await fetch(address, { redirect: 'manual' })
  assert.equal(back.status, 302)
  return new URL(back.headers.get('location'))
}

async function begin(supabase, options = {}) {
  const { url: address } = succeed(
    await supabase.auth.signInWithOAuth({ provider: 'google', options: { redirectTo: home, skipBrowserRedirect: true, ...options } }),
  )
  return address
}

async function signIn(person, supabase = client(), options) {
  const target = await follow(await atProvider(await begin(supabase, options), person))
  assert.equal(`${target.origin}${target.pathname}`, home)
  return { supabase, ...succeed(await supabase.auth.exchangeCodeForSession(target.searchParams.get('code'))) }
}

describe('sign-in at a provider', () => {
  test('the button is offered', async () => {
    const { external } = await (await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } })).json()
    assert.equal(external.google, true)
    assert.equal(external.github, false)
  })

  test('API-04: PKCE: the way back is /auth/callback, and an account is made, with the provider’s tokens', async () => {
    const person = newPerson()
    const { session, user } = await signIn(person, client(), { queryParams: { access_type: 'offline' } })
    assert.equal(user.email, person.email)
    assert.deepEqual(user.app_metadata, { provider: 'google', providers: ['google'] })
    assert.equal(user.user_metadata.full_name, person.name)
    assert.equal(user.identities.length, 1)
    assert.ok(session.provider_token)
    assert.ok(session.provider_refresh_token)
    assert.equal(claimsOf(session.access_token).amr[0].method, 'oauth')
  })

  test('the same person comes back to the same account', async () => {
    const person = newPerson()
    const first = await signIn(person)
    const second = await signIn(person)
    assert.equal(second.user.id, first.user.id)
    assert.notEqual(second.session.access_token, first.session.access_token)
  })

  test('implicit: the session is in the fragment', async () => {
    const supabase = client({ flowType: 'implicit' })
    const target = await follow(await atProvider(await begin(supabase), newPerson()))
    const fragment = new URLSearchParams(target.hash.slice(1))
    assert.ok(fragment.get('provider_token'))
    assert.equal(fragment.has('type'), false)
    succeed(await supabase.auth.setSession({ access_token: fragment.get('access_token'), refresh_token: fragment.get('refresh_token') }))
  })

  test('a code works once, and only with its verifier', async () => {
    const supabase = client()
    const target = await follow(await atProvider(await begin(supabase), newPerson()))
    const code = target.searchParams.get('code')
    const other = client()
    await begin(other)
    refused(await other.auth.exchangeCodeForSession(code), 400, 'bad_code_verifier')
    succeed(await supabase.auth.exchangeCodeForSession(code))
    await begin(supabase)
    refused(await supabase.auth.exchangeCodeForSession(code), 404, 'flow_state_not_found')
  })

  test('cancelling at the provider returns with an error', async () => {
    const target = await follow(await atProvider(await begin(client()), { cancel: '1' }))
    assert.equal(target.searchParams.get('error'), 'access_denied')
    assert.equal(new URLSearchParams(target.hash.slice(1)).get('error'), 'access_denied')
  })

  test('an address that the provider has not verified waits for its mail', async () => {
    const { name, email } = newPerson()
    const target = await follow(await atProvider(await begin(client()), { name, email }))
    assert.equal(target.searchParams.get('error_code'), 'provider_email_needs_verification')
    assert.equal(target.searchParams.get('error'), 'access_denied')
  })

  test('a provider that is off, or that there is not, is refused', async () => {
    for (const name of ['github', 'nobody', 'custom:absent']) {
      const answer = await fetch(`${url}/auth/v1/authorize?provider=${name}`, { redirect: 'manual' })
      assert.equal(answer.status, 400)
      assert.equal((await answer.json()).error_code, 'validation_failed')
    }
  })
})

/** The test's own OpenID provider, whose ID tokens an app passes directly. */
async function ownProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = createServer((request, response) => {
    const at = `http://127.0.0.1:${server.address().port}`
    const known = {
      '/.well-known/openid-configuration': { issuer: at, authorization_endpoint: `${at}/a`, token_endpoint: `${at}/t`, jwks_uri: `${at}/jwks` },
      '/jwks': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }] },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(known[request.url] ?? {}))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()
  const issuer = `http://127.0.0.1:${server.address().port}`
  const identifier = `custom:t-${randomBytes(6).toString('hex')}`
  succeed(
    await admin().auth.admin.customProviders.createProvider({
      provider_type: 'oidc', identifier, name: 'Own', client_id: 'our-app', client_secret: 's', issuer,
    }),
  )
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = (told) => {
    const claims = { iss: issuer, aud: 'our-app', exp: Math.floor(Date.now() / 1000) + 600, iat: Math.floor(Date.now() / 1000), ...told }
    const text = `${encode({ alg: 'ES256', kid: 'one' })}.${encode(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  return { identifier, token }
}

const hash = (nonce) => createHash('sha256').update(nonce).digest('hex')

describe('ID tokens of apps', () => {
  test('sign in, with a nonce that only the app knows', async () => {
    const { identifier: provider, token } = await ownProvider()
    const email = `${randomUUID()}@example.com`
    const nonce = randomUUID()
    const told = token({ sub: 'u1', email, email_verified: true, name: 'Ona', nonce: hash(nonce) })
    const { user, session } = succeed(await client().auth.signInWithIdToken({ provider, token: told, nonce }))
    assert.equal(user.email, email)
    assert.equal(user.identities[0].provider, provider)
    assert.ok(session.refresh_token)

    for (const wrong of [undefined, hash(nonce), randomUUID()]) {
      const { error } = await client().auth.signInWithIdToken({ provider, token: told, nonce: wrong })
      assert.equal(error?.status, 400)
      assert.match(error.message, /nonce/i)
    }
    for (const forged of [token({ sub: 'u1', email, aud: 'another-app' }), `${told.slice(0, -8)}AAAAAAAA`, token({ sub: '', email }), token({ sub: 'u1', exp: 1 })]) {
      const { error } = await client().auth.signInWithIdToken({ provider, token: forged, nonce })
      assert.equal(error?.status, 400, error?.message)
    }
  })

  test('link an identity to the signed-in user', async () => {
    const { identifier: provider, token } = await ownProvider()
    const { supabase, user } = await member()
    const linked = succeed(await supabase.auth.linkIdentity({ provider, token: token({ sub: 'u2', email: 'other@example.com', email_verified: true }) }))
    assert.equal(linked.user.id, user.id)
    assert.deepEqual(linked.user.app_metadata.providers, ['email', provider])
    const { error } = await (await member()).supabase.auth.linkIdentity({ provider, token: token({ sub: 'u2' }) })
    assert.equal(error.code, 'identity_already_exists')
  })

  test('of a provider that is off are refused', async () => {
    refused(await client().auth.signInWithIdToken({ provider: 'apple', token: 'a.b.c', nonce: 'n' }), 400, 'provider_disabled')
  })
})

describe('identities', () => {
  test('a verified address joins the account that has it', async () => {
    const { email, user } = await member()
    const joined = await signIn({ ...newPerson(), email })
    assert.equal(joined.user.id, user.id)
    assert.deepEqual(joined.user.app_metadata.providers, ['email', 'google'])
  })

  test('another identity is linked, listed and unlinked', async () => {
    const { supabase, user } = await member()
    const { url: address } = succeed(await supabase.auth.linkIdentity({ provider: 'google', options: { redirectTo: home, skipBrowserRedirect: true } }))
    const target = await follow(await atProvider(address, newPerson()))
    const linked = succeed(await supabase.auth.exchangeCodeForSession(target.searchParams.get('code')))
    assert.equal(linked.user.id, user.id)

    const { identities } = succeed(await supabase.auth.getUserIdentities())
    assert.deepEqual(identities.map((identity) => identity.provider), ['email', 'google'])
    succeed(await supabase.auth.unlinkIdentity(identities[1]))
    const rest = succeed(await supabase.auth.getUserIdentities())
    assert.equal(rest.identities.length, 1)
    refused(await supabase.auth.unlinkIdentity(rest.identities[0]), 422, 'single_identity_not_deletable')
  })

  test('an identity of another account is not linked', async () => {
    const person = newPerson()
    await signIn(person)
    const { supabase } = await member()
    const { url: address } = succeed(await supabase.auth.linkIdentity({ provider: 'google', options: { redirectTo: home, skipBrowserRedirect: true } }))
    const target = await follow(await atProvider(address, person))
    assert.equal(target.searchParams.get('error_code'), 'identity_already_exists')
  })
})

describe('custom providers', () => {
  const custom = () => admin().auth.admin.customProviders

  test('are added, listed, changed and removed, and never show their secret', async () => {
    const identifier = `custom:t-${randomBytes(6).toString('hex')}`
    const made = succeed(
      await custom().createProvider({
        provider_type: 'oauth2', identifier, name: 'Test', client_id: 'a', client_secret: 'hush-hush', scopes: ['profile'],
        authorization_url: `${url}/openid/authorize`, token_url: `${url}/openid/token`, userinfo_url: `${url}/openid/userinfo`,
      }),
    )
    assert.equal(made.identifier, identifier)
    assert.equal(JSON.stringify(made).includes('hush'), false)
    const { providers } = succeed(await custom().listProviders({ type: 'oauth2' }))
    assert.ok(providers.some((provider) => provider.identifier === identifier))
    const changed = succeed(await custom().updateProvider(identifier, { name: 'Other', enabled: false }))
    assert.equal(changed.name, 'Other')
    assert.equal(changed.client_id, 'a')
    assert.equal(succeed(await custom().getProvider(identifier)).enabled, false)
    succeed(await custom().deleteProvider(identifier))
    refused(await custom().getProvider(identifier), 404, 'custom_provider_not_found')
  })

  test('are the admin’s', async () => {
    refused(await client().auth.admin.customProviders.listProviders(), 403, 'not_admin')
  })
})
