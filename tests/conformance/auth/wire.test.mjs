// Behaviour that no client shows: error bodies, headers, broken and oversized requests to each
// route, and allowed redirect targets of mailed links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, key, member, newAddress, password, press, send, succeed, url } from './account.mjs'

/** All routes with a body, with a valid one and the response without an account. */
const posts = {
  'POST /signup': { email: 'a@example.com', password: 'x' },
  'POST /token?grant_type=password': { email: 'a@example.com', password },
  'POST /token?grant_type=refresh_token': { refresh_token: 'aaaabbbbcccc' },
  'POST /token?grant_type=pkce': { auth_code: 'a', code_verifier: 'b' },
  'POST /token?grant_type=id_token': { provider: 'google', id_token: 'a.b.c' },
  'POST /otp': { email: 'nobody@example.com', create_user: false },
  'POST /magiclink': { email: 'nobody@' },
  'POST /recover': { email: 'nobody@example.com' },
  'POST /resend': { type: 'signup', email: 'nobody@example.com' },
  'POST /verify': { type: 'email', email: 'nobody@example.com', token: '123456' },
  'PUT /user': { data: { a: 'b' } },
  'POST /factors': { factor_type: 'totp', friendly_name: 'a' },
  'POST /factors/recovery-codes/verify': { code: 'ABCDEFGH' },
  'POST /passkeys/authentication/verify': { challenge_id: 'a', credential: {} },
  'POST /invite': { email: 'x' },
  'POST /admin/users': { email: 'x' },
  'POST /admin/generate_link': { type: 'x', email: 'x' },
  'POST /admin/custom-providers': { identifier: 'x' },
}
const { session } = await member()
const whose = (line) => (/admin|invite/.test(line) ? process.env.SUPABASE_SERVICE_ROLE_KEY : session.access_token)

/** Returns a value with every string in it replaced. */
const withTexts = (value, text) => Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? text(one) : typeof one === 'object' ? withTexts(one, text) : one]))

for (const [line, body] of Object.entries(posts)) {
  test(`${line}: a malformed request is refused as a client error`, async () => {
    const as = whose(line)
    const mistakes = {
      'no JSON': '{', 'half a text': '{"email":"', 'an array': '[]', 'a number': '1', 'invalid UTF-8': Buffer.from('{"email":"\xff\xfe","password":"\xff"}', 'latin1'),
      'wrong types': JSON.stringify(Object.fromEntries(Object.keys(body).map((name) => [name, { a: [1] }]))), nothing: '',
      'NUL bytes': JSON.stringify(withTexts(body, (text) => `${text}\u0000`)), 'look-alike letters': JSON.stringify(withTexts(body, (text) => text.replace(/a/g, 'а').replace('@', '＠'))),
      'half a surrogate': JSON.stringify(withTexts(body, (text) => `${text}\ud800`)), 'a text of 100 KB': JSON.stringify(withTexts(body, (text) => text + 'x'.repeat(100_000))),
      nested: '['.repeat(50_000) + ']'.repeat(50_000), 'a name twice': '{"email":"a@example.com","email":{"a":1}}',
    }
    for (const [name, text] of Object.entries(mistakes)) {
      const answer = await send(line, { as, body: text })
      assert.ok(answer.status < 500 && answer.status !== 404 || answer.json?.error_code === 'flow_state_not_found', `${name}: ${answer.status} ${answer.text}`)
      if (answer.status >= 400) assert.ok(answer.json, `${name}: ${answer.text}`)
    }
    const huge = await send(line, { as, body: JSON.stringify({ email: 'x'.repeat(1 << 20) }) })
    assert.deepEqual([huge.status, huge.json.error_code], [413, 'request_entity_too_large'])
    const browser = await send(line, { as, body, 'user-agent': '\xff\xfe', 'x-jwt-aud': '\xff' })
    assert.ok(browser.status < 500, `a browser’s name that is no UTF-8: ${browser.text}`)
  })
}

test('a sign-in with a browser’s name that is no UTF-8', async () => {
  const { email } = await member()
  const answer = await send('POST /token?grant_type=password', { body: { email, password }, 'user-agent': 'caf\xe9' })
  assert.equal(answer.status, 200, answer.text)
})

test('errors in both shapes', async () => {
  const ask = (headers) => send('POST /token?grant_type=password', { body: { email: newAddress(), password }, ...headers })
  for (const version of [undefined, 'nonsense', '2023-12-31']) {
    const old = await ask(version && { 'x-supabase-api-version': version })
    assert.deepEqual([old.status, old.json], [400, { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' }])
    assert.equal(old.headers.get('x-sb-error-code'), 'invalid_credentials')
  }
  for (const version of ['2024-01-01', '2030-05-05']) {
    const fresh = await ask({ 'x-supabase-api-version': version })
    assert.deepEqual([fresh.status, fresh.json], [400, { code: 'invalid_credentials', message: 'Invalid login credentials' }])
    assert.equal(fresh.headers.get('x-supabase-api-version'), '2024-01-01')
  }
  const weak = { body: { email: newAddress(), password: 'abc' } }
  const reasons = { reasons: ['length', 'characters'] }
  assert.deepEqual((await send('POST /signup', weak)).json.weak_password, reasons)
  assert.deepEqual((await send('POST /signup', { ...weak, 'x-supabase-api-version': '2024-01-01' })).json.weak_password, reasons)
})

test('paths, methods, pages of other origins, keys', async () => {
  assert.equal((await send('GET /nowhere')).status, 404)
  const wrong = await send('DELETE /signup')
  assert.deepEqual([wrong.status, wrong.text, wrong.headers.get('allow')], [405, '', 'POST'])
  const asked = await fetch(`${url}/auth/v1/token`, { method: 'OPTIONS', headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'apikey,authorization' } })
  assert.ok(asked.status < 300)
  assert.ok(['*', 'https://shop.example'].includes(asked.headers.get('access-control-allow-origin')))
  assert.match(asked.headers.get('access-control-allow-headers'), /apikey|\*/i)
  const exposed = (await send('GET /settings', { origin: 'https://shop.example' })).headers.get('access-control-expose-headers')
  for (const name of ['X-Total-Count', 'Link', 'X-Supabase-Api-Version']) assert.match(exposed, new RegExp(name, 'i'))
  const { json: health } = await send('GET /health')
  assert.deepEqual([typeof health.version, typeof health.name, typeof health.description], ['string', 'string', 'string'])
  const { json: settings } = await send('GET /settings')
  for (const name of ['external', 'disable_signup', 'mailer_autoconfirm', 'phone_autoconfirm', 'sms_provider', 'saml_enabled', 'passkeys_enabled']) assert.ok(name in settings, name)
  assert.equal((await send('GET /user', { as: session.access_token, apikey: `${key}x` })).status, 401)
  const unsupported = await send('POST /token?grant_type=nothing', { body: {} })
  assert.deepEqual([unsupported.status, unsupported.json.error_code], [400, 'invalid_credentials'])
})

test('features omitted on purpose return an error that says so', async () => {
  const codes = { 'POST /token?grant_type=web3': 'web3_provider_disabled', 'POST /sso': 'saml_provider_disabled', 'POST /sso/saml/acs': 'saml_provider_disabled' }
  for (const [line, code] of Object.entries(codes)) assert.equal((await send(line, { body: { chain: 'solana' } })).json.error_code, code, line)
  assert.equal((await send('GET /scim/v2/Schemas')).status, 404)
})

test('a token contains its issuer and audience, in headers too', async () => {
  const { email } = await member()
  const answer = await send('POST /token?grant_type=password', { body: { email, password } })
  const claims = JSON.parse(Buffer.from(answer.json.access_token.split('.')[1], 'base64url'))
  assert.equal(answer.headers.get('sb-auth-user-id'), claims.sub)
  assert.equal(answer.headers.get('sb-auth-session-id'), claims.session_id)
  assert.equal(answer.json.refresh_token.startsWith(answer.headers.get('sb-auth-refresh-token-prefix')), true)
  assert.ok(answer.headers.get('sb-auth-refresh-token-prefix').length < 6)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.deepEqual([claims.aud, claims.iss, claims.exp - claims.iat], ['authenticated', `${url}/auth/v1`, 3600])
})

test('a mailed link leads to the site, or where its list allows', async () => {
  const site = new URL(url).origin
  const { email } = await member()
  const lead = async (wanted) => {
    const made = await send('POST /admin/generate_link', { as: process.env.SUPABASE_SERVICE_ROLE_KEY, body: { type: 'magiclink', email, redirect_to: wanted } })
    assert.equal(made.json.redirect_to === wanted, new URL(made.json.action_link).searchParams.get('redirect_to') === wanted)
    return made.json.redirect_to
  }
  for (const good of [`${site}/a?b=c#d`, 'http://127.0.0.1:9999/x', 'http://[::1]:3/x', 'http://127.0.0.9/']) assert.equal(await lead(good), good)
  for (const bad of [
    'https://evil.example/', '//evil.example/', 'https:evil.example', 'https:///evil.example', `${site}@evil.example/`, `${site}.evil.example/`, 'http://2130706433/',
    'javascript:alert(1)', 'JavaScript://127.0.0.1/%0aalert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'blob:http://127.0.0.1/x', `${site}\\@evil.example`,
    `${site}\r\nSet-Cookie: a=b`, '/relative', 'evil', 'http://127.0.0.1.evil.example/', 'http://evil.example#@127.0.0.1', 'http://user@127.0.0.1/', 'http://0177.0.0.1/', 'http://①②⑦.0.0.1/',
  ]) assert.equal((await lead(bad)).startsWith(site), true, bad)
  const { properties } = succeed(await admin().auth.admin.generateLink({ type: 'magiclink', email, options: { redirectTo: 'https://evil.example/' } }))
  const tampered = new URL(properties.action_link)
  tampered.searchParams.set('redirect_to', 'https://evil.example/')
  assert.equal((await press(tampered)).origin, site)
})
