// Behaviour that depends on settings, each on a separate server: sign-up disabled or without
// confirmation, session rules, captcha, limits behind a proxy, signing keys, and mails while the
// relay is down.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { eventually } from '../eventually.mjs'
import { freePort } from '../server.mjs'
import { claimsOf, headOf, newAddress, newPassword, password, refused, succeed } from './account.mjs'
import { home, relay, service } from './own.mjs'

const place = await home()
after(place.remove)

/** An account created by an admin, signed in; it needs no mail. */
async function member(plaza) {
  const email = newAddress()
  const { user } = succeed(await plaza.admin().auth.admin.createUser({ email, password, email_confirm: true }))
  const supabase = plaza.client()
  const { session } = succeed(await supabase.auth.signInWithPassword({ email, password }))
  return { supabase, email, user, session }
}

test('disable_signup', async () => {
  const plaza = await place.serve({ GOTRUE_DISABLE_SIGNUP: 'true', GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' })
  const email = newAddress()
  refused(await plaza.client().auth.signUp({ email, password }), 422, 'signup_disabled')
  refused(await plaza.client().auth.signInWithOtp({ email }), 422, 'signup_disabled')
  refused(await plaza.client().auth.signInAnonymously(), 422, 'signup_disabled')
  await member(plaza)
  assert.equal((await plaza.send('GET /settings')).json.disable_signup, true)
})

test('autoconfirm; a new password needs the current one; rules for passwords', async () => {
  const plaza = await place.serve({
    GOTRUE_MAILER_AUTOCONFIRM: 'true', GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: 'true',
    GOTRUE_PASSWORD_MIN_LENGTH: '10', GOTRUE_PASSWORD_REQUIRED_CHARACTERS: 'abcdefghijklmnopqrstuvwxyz:0123456789',
  })
  const supabase = plaza.client()
  const email = newAddress()
  const { session, user } = succeed(await supabase.auth.signUp({ email, password }))
  assert.ok(session.access_token)
  assert.ok(user.email_confirmed_at)
  refused(await plaza.client().auth.signUp({ email, password }), 422, 'user_already_exists')
  const { reasons } = refused(await plaza.client().auth.signUp({ email: newAddress(), password: 'nodigit' }), 422, 'weak_password')
  assert.deepEqual(reasons, ['length', 'characters'])
  refused(await supabase.auth.updateUser({ password: newPassword }), 400, 'current_password_required')
  succeed(await supabase.auth.updateUser({ password: newPassword, current_password: password }))
  assert.equal((await plaza.send('GET /settings')).json.mailer_autoconfirm, true)
})

for (const [name, rule] of [['TIMEBOX', 'expired'], ['INACTIVITY_TIMEOUT', 'inactive']]) {
  test(`sessions: ${name} (${rule})`, async () => {
    const plaza = await place.serve({ [`GOTRUE_SESSIONS_${name}`]: '1ms' })
    const { supabase } = await member(plaza)
    refused(await supabase.auth.refreshSession(), 400, 'session_expired')
    succeed(await supabase.auth.getUser()) // the access token is valid until it expires
  })
}

test('sessions: one for each user', async () => {
  const plaza = await place.serve({ GOTRUE_SESSIONS_SINGLE_PER_USER: 'true' })
  const { supabase, email } = await member(plaza)
  const newer = plaza.client()
  succeed(await newer.auth.signInWithPassword({ email, password }))
  refused(await supabase.auth.refreshSession(), 400, 'session_expired')
  succeed(await newer.auth.refreshSession())
})

test('captcha: no token, a wrong one, a right one; none for admins', async () => {
  const checker = await service(({ body }) => {
    const form = new URLSearchParams(body)
    return { json: form.get('response') === 'human' && form.get('secret') === 'hush' ? { success: true } : { success: false, 'error-codes': ['bad-response'] } }
  })
  const plaza = await place.serve({
    GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true', GOTRUE_SECURITY_CAPTCHA_PROVIDER: 'turnstile', GOTRUE_SECURITY_CAPTCHA_SECRET: 'hush',
    GOTRUE_SECURITY_CAPTCHA_URL: checker.url, GOTRUE_MAILER_AUTOCONFIRM: 'true',
  })
  const email = newAddress()
  const { auth } = plaza.client()
  const calls = {
    signUp: (options) => auth.signUp({ email, password, options }),
    signInWithPassword: (options) => auth.signInWithPassword({ email, password, options }),
    signInWithOtp: (options) => auth.signInWithOtp({ email, options }),
    resetPasswordForEmail: (options) => auth.resetPasswordForEmail(email, options),
    resend: (options) => auth.resend({ type: 'signup', email, options }),
  }
  for (const [name, call] of Object.entries(calls)) {
    refused(await call({}), 400, 'captcha_failed')
    assert.match(refused(await call({ captchaToken: 'robot' }), 400, 'captcha_failed').message, /bad-response/)
    assert.equal((await call({ captchaToken: 'human' })).error, null, name)
  }
  const asked = checker.asked.length
  const free = await plaza.send('POST /recover', { body: { email }, as: plaza.serviceKey })
  assert.equal(free.status, 200, free.text)
  succeed(await auth.refreshSession())
  assert.equal(checker.asked.length, asked)
})

test('limits hold for the address that a trusted proxy names', async () => {
  const plaza = await place.serve({
    PLAZA_TRUSTED_PROXIES: '127.0.0.0/8', GOTRUE_RATE_LIMIT_VERIFY: '2', GOTRUE_RATE_LIMIT_OTP: '2', GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '2',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000',
  })
  const paths = {
    '/verify': { type: 'email', email: 'a@example.com', token: '123456' }, '/recover': { email: 'a@example.com' }, '/otp': { email: 'a@example.com', create_user: false },
    '/resend': { type: 'signup', email: 'a@example.com' }, '/magiclink': {}, '/token?grant_type=password': { email: 'a@example.com', password },
    '/token?grant_type=refresh_token': { refresh_token: 'aaaabbbbcccc' }, '/signup': { email: 'a@example.com', password: 'abc' },
  }
  for (const [at, [path, body]] of Object.entries(paths).entries()) {
    const from = `203.0.113.${at + 1}`
    const call = (address) => plaza.send(`POST ${path}`, { body, 'x-forwarded-for': address })
    for (let i = 0; i < 2; i++) assert.notEqual((await call(from)).json.error_code, 'over_request_rate_limit', path)
    const held = await call(`9.9.9.9, ${from}`) // the first address is sent by the client itself
    assert.deepEqual([held.status, held.json.error_code], [429, 'over_request_rate_limit'], path)
    const wait = Number(held.headers.get('retry-after'))
    assert.ok(wait > 100 && wait <= 150, `${path}: ${wait}`)
    assert.notEqual((await call('203.0.113.200')).status, 429, path)
  }
})

test('signing keys: ES256, checked without a call; the shared secret still opens', async () => {
  const es256 = (kid) => ({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' })
  const [signing, next] = [{ ...es256(randomUUID()), key_ops: ['sign', 'verify'] }, { ...es256(randomUUID()), key_ops: ['verify'] }]
  const before = await member(await place.serve())
  const plaza = await place.serve({ GOTRUE_JWT_KEYS: JSON.stringify([signing, next]) })
  succeed(await plaza.client().auth.getUser(before.session.access_token))
  const { supabase, session } = await member(plaza)
  assert.deepEqual([headOf(session.access_token).alg, headOf(session.access_token).kid], ['ES256', signing.kid])
  const { keys } = await (await fetch(`${plaza.url}/auth/v1/.well-known/jwks.json`)).json()
  assert.deepEqual(keys.map(({ kid }) => kid).sort(), [signing.kid, next.kid].sort())
  assert.ok(keys.every((one) => one.d === undefined))

  const calls = []
  const watched = globalThis.fetch
  globalThis.fetch = (address, ...rest) => calls.push(String(address)) && watched(address, ...rest)
  const { claims } = succeed(await supabase.auth.getClaims())
  globalThis.fetch = watched
  assert.equal(claims.sub, session.user.id)
  assert.deepEqual(calls.filter((address) => !address.endsWith('/.well-known/jwks.json')), [])
  const [head, body, signature] = session.access_token.split('.')
  const forged = `${head}.${Buffer.from(JSON.stringify({ ...claimsOf(session.access_token), role: 'service_role' })).toString('base64url')}.${signature}`
  assert.notEqual((await supabase.auth.getClaims(forged)).error, null)
  assert.equal((await plaza.send('GET /admin/users', { as: forged })).status, 403)
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
  assert.equal((await plaza.send('GET /user', { as: none })).json.error_code, 'bad_jwt')
})

test('signing keys: a rotation invalidates no token', async () => {
  const plaza = await place.serve()
  const { session } = await member(plaza)
  await place.run('keys', 'signing', 'rotate')
  await place.serve() // loads the keys at once
  const { keys } = (await plaza.send('GET /.well-known/jwks.json')).json
  assert.equal(keys.length, 1)
  succeed(await plaza.client().auth.getUser(session.access_token))
  const later = await member(plaza)
  assert.equal(headOf(later.session.access_token).alg, 'HS256') // the new key signs when every cached copy of the set has it
})

test('mails outlive the relay and the server', async () => {
  const port = await freePort()
  const smtp = { GOTRUE_SMTP_HOST: '127.0.0.1', GOTRUE_SMTP_PORT: port, GOTRUE_SMTP_ADMIN_EMAIL: 'shop@example.com' }
  const email = newAddress()
  const plaza = await place.serve(smtp)
  succeed(await plaza.client().auth.signUp({ email, password }))
  await eventually('a refused mail in the log', () => plaza.log().includes('mail not sent yet'))
  await place.kill()
  const post = await relay(port)
  await place.serve(smtp)
  const [letter] = await post.to(email)
  const code = /\b(\d{6})\b/.exec(letter.slice(letter.indexOf('text/plain')))[1]
  succeed(await plaza.client().auth.verifyOtp({ email, token: code, type: 'email' }))
  succeed(await plaza.client().auth.resetPasswordForEmail(email))
  await eventually('the second mail', async () => (await post.to(email)).length >= 2)
  assert.equal(post.mails.filter((mail) => mail.includes(code)).length, 1)
  assert.doesNotMatch(plaza.log(), new RegExp(code))
})
