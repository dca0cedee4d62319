// Unmodified supabase-js with the service key against a running server: accounts that an
// administrator creates, finds, changes, invites and deletes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { admin, client, letterTo, member, newAddress, newNumber, newPassword, password, press, refused, send, serviceKey, signIn, succeed, url } from './account.mjs'

const api = () => admin().auth.admin

/** The error code for a refused token, which auth-js does not expose. */
const gone = async (session) => (await send('GET /user', { as: session.access_token })).json.error_code

describe('accounts', () => {
  test('are made with all that is given', async () => {
    const [email, phone, id] = [newAddress(), newNumber(), randomUUID()]
    const { user } = succeed(
      await api().createUser({ id, email, phone, password, email_confirm: true, phone_confirm: true, user_metadata: { a: 1 }, app_metadata: { tier: 'gold' }, role: 'authenticated' }),
    )
    assert.deepEqual([user.id, user.email, user.phone, user.user_metadata.a, user.app_metadata.tier], [id, email, phone, 1, 'gold'])
    assert.deepEqual(user.app_metadata.providers, ['email', 'phone'])
    assert.ok(user.email_confirmed_at && user.phone_confirmed_at)
    succeed(await client().auth.signInWithPassword({ email, password }))
    assert.equal(succeed(await api().getUserById(id)).user.email, email)
    refused(await api().createUser({ email, password }), 422, 'email_exists')
    refused(await api().createUser({ phone, password }), 422, 'phone_exists')
    refused(await api().createUser({ password }), 400, 'validation_failed')
    refused(await api().createUser({ email: newAddress(), id: 'x' }), 400, 'validation_failed')
    const hashed = newAddress()
    succeed(await api().createUser({ email: hashed, email_confirm: true, password_hash: '$2a$04$abcdefghijklmnopqrstuuJ8bUeYcPZwJxRjJj0k3wq1k2v1n0mCm' }))
    refused(await api().createUser({ email: newAddress(), password_hash: 'md5' }), 400, 'validation_failed')
  })

  test('are changed: a ban and a new password end the sessions', async () => {
    const { supabase, session, id, email } = await member()
    const { user } = succeed(await api().updateUserById(id, { user_metadata: { full_name: null, b: 2 }, app_metadata: { tier: 'gold' } }))
    assert.deepEqual([user.user_metadata.full_name, user.user_metadata.b, user.app_metadata.tier, user.app_metadata.provider], [undefined, 2, 'gold', 'email'])
    succeed(await api().updateUserById(id, { ban_duration: '1h' }))
    refused(await supabase.auth.getUser(), 403, 'user_banned')
    refused(await supabase.auth.refreshSession(), 400, 'user_banned')
    refused(await client().auth.signInWithPassword({ email, password }), 400, 'user_banned')
    refused(await client().auth.signInWithPassword({ email, password: 'wrong' }), 400, 'invalid_credentials') // only the owner of the account learns the reason
    succeed(await api().updateUserById(id, { ban_duration: 'none' }))
    succeed(await supabase.auth.getUser())
    refused(await api().updateUserById(id, { ban_duration: 'soon' }), 400, 'validation_failed')
    succeed(await api().updateUserById(id, { password: newPassword }))
    assert.equal(await gone(session), 'session_not_found')
    const taken = (await member()).email
    refused(await api().updateUserById(id, { email: taken }), 422, 'email_exists')
    refused(await api().updateUserById(randomUUID(), {}), 404, 'user_not_found')
  })

  test('another address ends the links that were sent to the old one', async () => {
    const { id, email } = await member()
    succeed(await client().auth.resetPasswordForEmail(email))
    const { link } = await letterTo(email, 2)
    succeed(await api().updateUserById(id, { email: newAddress(), email_confirm: true }))
    assert.match((await press(link)).hash, /error_code=otp_expired/)
  })

  test('are listed in pages and found by a part of the address or name', async () => {
    const mark = randomUUID().slice(0, 8)
    for (const name of ['a', 'b', 'c']) succeed(await api().createUser({ email: `${name}-${mark}@example.com` }))
    succeed(await api().createUser({ email: newAddress(), user_metadata: { full_name: `Pau ${mark}` } }))
    const first = await send(`GET /admin/users?per_page=3&page=1&filter=${mark}&sort=created_at%20asc`, { as: serviceKey })
    assert.deepEqual(first.json.users.map((user) => user.email[0]).slice(0, 3), ['a', 'b', 'c'])
    assert.equal(first.headers.get('x-total-count'), '4')
    assert.match(first.headers.get('link'), /page=2[^>]*>; rel="next".*page=2[^>]*>; rel="last"/)
    const rest = await send(`GET /admin/users?per_page=3&page=2&filter=${mark}`, { as: serviceKey })
    assert.equal(rest.json.users.length, 1)
    assert.equal((await send('GET /admin/users?filter=%25', { as: serviceKey })).json.users.length, 0)
    const listed = succeed(await api().listUsers({ page: 1, perPage: 2 }))
    assert.equal(listed.users.length, 2)
    assert.equal(listed.nextPage, 2)
    for (const wrong of ['page=x', 'per_page=-1', 'sort=email%20asc']) {
      assert.equal((await send(`GET /admin/users?${wrong}`, { as: serviceKey })).json.error_code, 'validation_failed', wrong)
    }
  })

  test('are removed: for good, or leaving a row without a name', async () => {
    const gone = await member()
    succeed(await api().deleteUser(gone.id))
    refused(await api().getUserById(gone.id), 404, 'user_not_found')
    refused(await gone.supabase.auth.getUser(), 403, 'user_not_found')
    const soft = await member()
    succeed(await api().deleteUser(soft.id, true))
    const { user } = succeed(await api().getUserById(soft.id))
    assert.ok(user.deleted_at)
    assert.equal(JSON.stringify(user).includes(soft.email), false)
    assert.deepEqual(user.user_metadata, {})
    refused(await client().auth.signInWithPassword({ email: soft.email, password }), 400, 'invalid_credentials')
    succeed(await client().auth.signUp({ email: soft.email, password }))
  })
})

describe('links', () => {
  test('an invitation by mail', async () => {
    const email = newAddress()
    const { user } = succeed(await api().inviteUserByEmail(email, { data: { team: 'blue' }, redirectTo: `${url}/welcome` }))
    assert.ok(user.invited_at)
    const target = await press((await letterTo(email)).link)
    assert.equal(target.pathname, '/welcome')
    const supabase = client()
    const fragment = new URLSearchParams(target.hash.slice(1))
    assert.equal(fragment.get('type'), 'invite')
    const signedIn = succeed(await supabase.auth.setSession({ access_token: fragment.get('access_token'), refresh_token: fragment.get('refresh_token') }))
    assert.equal(signedIn.user.user_metadata.team, 'blue')
    succeed(await supabase.auth.updateUser({ password }))
    succeed(await client().auth.signInWithPassword({ email, password }))
    refused(await api().inviteUserByEmail(email), 422, 'email_exists')
    refused(await client().auth.admin.inviteUserByEmail(email), 403, 'not_admin')
  })

  for (const [type, known, fields = {}] of [
    ['signup', false, { password }], ['invite', false], ['magiclink', true], ['recovery', true],
  ]) {
    test(`generateLink of type ${type}: by link, by hash, by code, each once for all`, async () => {
      const email = known ? (await member()).email : newAddress()
      const { properties, user } = succeed(await api().generateLink({ type, email, ...fields }))
      assert.equal(user.email, email)
      assert.equal(properties.verification_type, type)
      assert.equal(new URL(properties.action_link).searchParams.get('token'), properties.hashed_token)
      const { session } = succeed(await client().auth.verifyOtp({ token_hash: properties.hashed_token, type }))
      assert.equal(session.user.email, email)
      assert.match((await press(properties.action_link)).hash, /error_code=otp_expired/)
      refused(await client().auth.verifyOtp({ email, token: properties.email_otp, type }), 403, 'otp_expired')
    })
  }

  test('generateLink for a change of address: both have to confirm', async () => {
    const { email, id } = await member()
    const newEmail = newAddress()
    const old = succeed(await api().generateLink({ type: 'email_change_current', email, newEmail })).properties
    const fresh = succeed(await api().generateLink({ type: 'email_change_new', email, newEmail })).properties
    assert.match((await press(old.action_link)).hash, /message=Confirmation/)
    assert.match((await press(fresh.action_link)).hash, /access_token=/)
    assert.equal(succeed(await api().getUserById(id)).user.email, newEmail)
    refused(await api().generateLink({ type: 'recovery', email: newAddress() }), 404, 'user_not_found')
    refused(await api().generateLink({ type: 'nonsense', email }), 400, 'validation_failed')
  })
})

describe('sessions and the audit trail', () => {
  test('signOut with a user’s token, as an administrator', async () => {
    const { session } = await member()
    assert.equal((await api().signOut(session.access_token, 'global')).error, null)
    assert.equal(await gone(session), 'session_not_found')
  })

  test('sessions are listed and ended, one or all', async () => {
    const { id, email, session } = await member()
    const other = client()
    const { session: there } = await signIn(other, email)
    const list = async () => (await send(`GET /admin/users/${id}/sessions`, { as: serviceKey })).json.sessions
    const [newest, oldest] = await list()
    assert.deepEqual([newest.amr[0].method, newest.aal, newest.user_id], ['password', 'aal1', id])
    assert.equal(JSON.stringify(newest).includes('token'), false)
    assert.equal((await send(`DELETE /admin/users/${id}/sessions/${newest.id}`, { as: serviceKey })).status, 204)
    assert.equal((await send(`DELETE /admin/users/${id}/sessions/${newest.id}`, { as: serviceKey })).json.error_code, 'session_not_found')
    assert.equal(await gone(there), 'session_not_found')
    assert.deepEqual((await list()).map((session) => session.id).includes(oldest.id), true)
    assert.equal((await send(`DELETE /admin/users/${id}/sessions`, { as: serviceKey })).status, 204)
    assert.equal(await gone(session), 'session_not_found')
  })

  test('the audit trail can be searched by actor, and contains no secret', async () => {
    const { email, id, session } = await member()
    succeed(await api().deleteUser(id))
    const find = (query) => send(`GET /admin/audit?query=${query}&per_page=200`, { as: serviceKey })
    const done = (await find(`author:${email}`)).json.map(({ payload }) => payload.action)
    assert.deepEqual(done, ['login', 'user_signedup', 'user_confirmation_requested'])
    const removed = await find('action:user_deleted')
    assert.ok(removed.json.some(({ payload }) => payload.traits.user_email === email && payload.actor_username === 'service_role'))
    assert.ok(Number(removed.headers.get('x-total-count')) > 0)
    const { text } = await find('author:')
    for (const secret of [password, session.refresh_token, session.access_token]) assert.equal(text.includes(secret), false)
    assert.equal((await find('nonsense:x')).json.error_code, 'validation_failed')
  })

  for (const line of [
    'GET /admin/users', 'POST /admin/users', `GET /admin/users/${randomUUID()}`, `PUT /admin/users/${randomUUID()}`, `DELETE /admin/users/${randomUUID()}`,
    'POST /admin/generate_link', 'GET /admin/audit', `GET /admin/users/${randomUUID()}/sessions`, 'POST /invite', 'GET /admin/custom-providers', 'GET /admin/oauth/clients',
  ]) {
    test(`${line.replace(/[0-9a-f-]{36}/, '{id}')} is the admin’s`, async () => {
      const body = line.startsWith('GET') ? undefined : {}
      const { session } = await aMember()
      assert.deepEqual([(await send(line, { body })).json.error_code, (await send(line, { body, as: session.access_token })).json.error_code], ['not_admin', 'not_admin'])
      assert.deepEqual([(await send(line, { body, as: '' })).status, (await send(line, { body, as: 'x.y.z' })).json.error_code], [401, 'bad_jwt'])
    })
  }
})

let shared
const aMember = () => (shared ??= member())
