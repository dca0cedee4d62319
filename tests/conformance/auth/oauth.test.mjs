// Unmodified supabase-js against a running server that is an OAuth 2.1 provider: consent, grants
// and the administration of clients. The server needs GOTRUE_OAUTH_SERVER_ENABLED,
// …_ALLOW_DYNAMIC_REGISTRATION and …_AUTHORIZATION_PATH=/oauth/consent.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import { admin, key, member, refused, succeed, url } from './account.mjs'

const api = `${url}/auth/v1`
const home = 'https://app.example.com/callback'

const newClient = async (fields = {}) =>
  succeed(await admin().auth.admin.oauth.createClient({ client_name: 'Notes', redirect_uris: [home], ...fields }))

/**
 * Starts an app's authorization: the browser opens the server, which redirects to the consent page.
 */
async function ask(app, fields = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const params = new URLSearchParams({
    client_id: app.client_id, redirect_uri: home, response_type: 'code', scope: 'email profile', state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256', ...fields,
  })
  const answer = await fetch(`${api}/oauth/authorize?${params}`, { redirect: 'manual' })
  assert.equal(answer.status, 302, await answer.text())
  const page = new URL(answer.headers.get('location'))
  return { verifier, page, id: page.searchParams.get('authorization_id') }
}

async function token(app, form, basic = app.client_secret) {
  const headers = basic ? { authorization: `Basic ${btoa(`${app.client_id}:${basic}`)}` } : {}
  const answer = await fetch(`${api}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(basic ? form : { client_id: app.client_id, ...form }) })
  return { status: answer.status, ...(await answer.json()) }
}

/** Consents as a member and returns the app's tokens. */
async function signInTo(app, who, fields = {}) {
  const { verifier, id } = await ask(app, fields)
  const details = succeed(await who.supabase.auth.oauth.getAuthorizationDetails(id))
  const to = details.redirect_url ?? succeed(await who.supabase.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true })).redirect_url
  const code = new URL(to).searchParams.get('code')
  return { code, verifier, tokens: await token(app, { grant_type: 'authorization_code', code, redirect_uri: home, code_verifier: verifier }) }
}

describe('consent', () => {
  test('details, approval, tokens, and not asked twice', async () => {
    const who = await member()
    const app = await newClient({ client_uri: 'https://app.example.com', logo_uri: 'https://app.example.com/logo.png' })
    const { verifier, page, id } = await ask(app)
    assert.equal(page.origin, new URL(url).origin)
    assert.equal(page.pathname, '/oauth/consent')
    const details = succeed(await who.supabase.auth.oauth.getAuthorizationDetails(id))
    assert.deepEqual(details, {
      authorization_id: id,
      redirect_uri: home,
      client: { id: app.client_id, name: 'Notes', uri: 'https://app.example.com', logo_uri: 'https://app.example.com/logo.png' },
      user: { id: who.id, email: who.email },
      scope: 'email profile',
    })
    const approved = succeed(await who.supabase.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true }))
    const back = new URL(approved.redirect_url)
    assert.equal(back.origin + back.pathname, home)
    assert.equal(back.searchParams.get('state'), 'a state')

    const form = { grant_type: 'authorization_code', code: back.searchParams.get('code'), redirect_uri: home, code_verifier: verifier }
    const tokens = await token(app, form)
    assert.equal(tokens.status, 200)
    assert.equal(tokens.token_type, 'bearer')
    const { data: read } = await createClient(url, key, { auth: { persistSession: false } }).auth.getUser(tokens.access_token)
    assert.equal(read.user.id, who.id)
    const next = await token(app, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    assert.equal(next.status, 200)
    assert.equal(JSON.parse(atob(next.access_token.split('.')[1])).client_id, app.client_id)

    const again = await ask(app, { scope: 'email' })
    assert.match(succeed(await who.supabase.auth.oauth.getAuthorizationDetails(again.id)).redirect_url, /[?&]code=/)
    assert.equal((await token(app, form)).error, 'invalid_grant')
  })

  test('denial', async () => {
    const who = await member()
    const { id } = await ask(await newClient())
    succeed(await who.supabase.auth.oauth.getAuthorizationDetails(id))
    const { redirect_url } = succeed(await who.supabase.auth.oauth.denyAuthorization(id, { skipBrowserRedirect: true }))
    const said = new URL(redirect_url).searchParams
    assert.deepEqual([said.get('error'), said.get('state'), said.get('iss')], ['access_denied', 'a state', api])
    refused(await who.supabase.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true }), 400, 'validation_failed')
  })

  test('an authorization that does not exist, or belongs to another user', async () => {
    const [who, other] = [await member(), await member()]
    refused(await who.supabase.auth.oauth.getAuthorizationDetails('nonsense'), 404, 'oauth_authorization_not_found')
    const { id } = await ask(await newClient())
    succeed(await who.supabase.auth.oauth.getAuthorizationDetails(id))
    refused(await other.supabase.auth.oauth.getAuthorizationDetails(id), 404, 'oauth_authorization_not_found')
    refused(await other.supabase.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true }), 404, 'oauth_authorization_not_found')
  })

  test('the token of an app does not govern the account', async () => {
    const who = await member()
    const { tokens } = await signInTo(await newClient({ token_endpoint_auth_method: 'client_secret_basic' }), who)
    const app = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } })
    await app.auth.setSession({ access_token: tokens.access_token, refresh_token: tokens.refresh_token })
    refused(await app.auth.updateUser({ password: 'Another-One-1' }), 403, 'insufficient_scope')
    refused(await app.auth.oauth.listGrants(), 403, 'insufficient_scope')
    refused(await app.auth.mfa.enroll({ factorType: 'totp' }), 403, 'insufficient_scope')
    refused(await app.auth.refreshSession(), 400, 'refresh_token_not_found')
  })
})

describe('grants', () => {
  test('listed and revoked', async () => {
    const who = await member()
    const app = await newClient()
    const { tokens } = await signInTo(app, who)
    const grants = succeed(await who.supabase.auth.oauth.listGrants())
    assert.equal(grants.length, 1)
    assert.deepEqual(grants[0].client, { id: app.client_id, name: 'Notes' })
    assert.deepEqual(grants[0].scopes, ['email', 'profile'])
    assert.ok(Math.abs(Date.parse(grants[0].granted_at) - Date.now()) < 60_000)

    succeed(await who.supabase.auth.oauth.revokeGrant({ clientId: app.client_id }))
    assert.deepEqual(succeed(await who.supabase.auth.oauth.listGrants()), [])
    assert.equal((await token(app, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).error, 'invalid_grant')
    const info = await fetch(`${api}/oauth/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    assert.equal(info.status, 403)
    refused(await who.supabase.auth.oauth.revokeGrant({ clientId: app.client_id }), 404, 'oauth_consent_not_found')
    const { id } = await ask(app)
    assert.equal(succeed(await who.supabase.auth.oauth.getAuthorizationDetails(id)).authorization_id, id)
  })
})

describe('clients', () => {
  test('made, read, changed, listed, renewed and deleted', async () => {
    const { oauth } = admin().auth.admin
    const made = await newClient()
    assert.deepEqual([made.client_type, made.token_endpoint_auth_method, made.registration_type], ['confidential', 'client_secret_basic', 'manual'])
    assert.deepEqual([made.redirect_uris, made.grant_types, made.response_types], [[home], ['authorization_code', 'refresh_token'], ['code']])
    assert.equal(made.client_secret.length, 43)

    const read = succeed(await oauth.getClient(made.client_id))
    assert.equal(read.client_secret, undefined)
    assert.equal(read.client_name, 'Notes')
    const changed = succeed(await oauth.updateClient(made.client_id, { client_name: 'Diary', redirect_uris: [home, 'myapp://callback'] }))
    assert.deepEqual([changed.client_name, changed.redirect_uris], ['Diary', [home, 'myapp://callback']])
    const { data: page } = await oauth.listClients({ page: 1, perPage: 1 })
    assert.equal(page.clients.length, 1)
    assert.ok(page.total >= 1)

    const renewed = succeed(await oauth.regenerateClientSecret(made.client_id))
    assert.notEqual(renewed.client_secret, made.client_secret)
    assert.equal((await token(made, { grant_type: 'refresh_token', refresh_token: 'x' })).error, 'invalid_client')
    assert.equal((await token(renewed, { grant_type: 'refresh_token', refresh_token: 'x' })).error, 'invalid_grant')

    succeed(await oauth.deleteClient(made.client_id))
    refused(await oauth.getClient(made.client_id), 404, 'oauth_client_not_found')
    refused(await oauth.createClient({ client_name: 'x', redirect_uris: ['http://app.example.com/'] }), 400, 'validation_failed')
    const { supabase } = await member()
    refused(await supabase.auth.admin.oauth.listClients(), 403, 'not_admin')
  })

  test('a public client that registers itself', async () => {
    const found = await (await fetch(`${api}/.well-known/oauth-authorization-server`)).json()
    assert.deepEqual(found, await (await fetch(`${url}/.well-known/oauth-authorization-server/auth/v1`)).json())
    assert.deepEqual(found, await (await fetch(`${api}/.well-known/openid-configuration`)).json())
    const answer = await fetch(found.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Tool', redirect_uris: [home], token_endpoint_auth_method: 'none' }),
    })
    assert.equal(answer.status, 201)
    const app = await answer.json()
    assert.deepEqual([app.client_type, app.registration_type, app.client_secret], ['public', 'dynamic', undefined])
    const who = await member()
    const { tokens } = await signInTo(app, who, { scope: 'email' })
    const info = await (await fetch(found.userinfo_endpoint, { headers: { authorization: `Bearer ${tokens.access_token}` } })).json()
    assert.deepEqual(info, { sub: who.id, email: who.email, email_verified: true })
  })
})

test('an app only reads, unless its user let it write', async () => {
  const who = await member()
  const rename = (supabase) => supabase.from('profiles').update({ full_name: 'Renamed' }).eq('id', who.id)
  const as = (token) => createClient(url, key, { accessToken: async () => token })

  const reader = as((await signInTo(await newClient(), who)).tokens.access_token)
  assert.equal(succeed(await reader.from('profiles').select('full_name').eq('id', who.id)).length, 1)
  succeed(await reader.storage.listBuckets())
  refused(await rename(reader).then(({ error, status }) => ({ error: { ...error, status } })), 403, 'insufficient_scope')
  const { error } = await reader.functions.invoke('generate-csrf-token', { body: { sessionId: 'a' } })
  assert.equal((await error.context.json()).code, 'insufficient_scope')

  const writer = as((await signInTo(await newClient(), who, { scope: 'email write' })).tokens.access_token)
  assert.equal((await rename(writer)).error, null)
  assert.equal(succeed(await reader.from('profiles').select('full_name').eq('id', who.id))[0].full_name, 'Renamed')
})
