// Users of a third-party issuer, such as Clerk or Auth0, with supabase-js' accessToken: their tokens
// open the data API, storage and realtime, and no account of the auth server.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import { newAddress, password, succeed } from './account.mjs'
import { home } from './own.mjs'

const place = await home()
const issuer = { keys: [], asked: 0 }
const web = createServer((request, response) => {
  issuer.asked++
  const found = request.url.startsWith('/tenant/.well-known/') ? { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` } : { keys: issuer.keys.map((key) => key.published) }
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found))
})
let plaza
before(async () => {
  await new Promise((done) => web.listen(0, '127.0.0.1', done))
  issuer.url = `http://127.0.0.1:${web.address().port}/tenant`
  addKey('first')
  plaza = await place.serve({ PLAZA_TRUSTED_ISSUERS: issuer.url })
})
after(async () => {
  web.close()
  await place.remove()
})

function addKey(kid) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  issuer.keys.push({ kid, privateKey, published: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } })
}

function token(claims, { kid, privateKey } = issuer.keys[0]) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode({ iss: issuer.url, role: 'authenticated', iat: now, exp: now + 60, ...claims })}`
  return `${text}.${sign('sha256', text, privateKey).toString('base64url')}`
}

const client = (bearer) => createClient(plaza.url, plaza.key, { accessToken: async () => bearer })

test('rows, objects and changes are those of the issuer’s user', { timeout: 60_000 }, async () => {
  const [ana, bea] = ['user_2abC', 'auth0|7'].map((sub) => client(token({ sub })))
  await ana.realtime.setAuth() // otherwise realtime-js may join before it has the token
  const heard = new Promise((done) => {
    ana.channel('notes').on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'third_party_notes' }, ({ new: row }) => done(row))
      .on('system', {}, async ({ status }) => {
        if (status !== 'ok') return
        succeed(await bea.from('third_party_notes').insert({ text: 'of Bea' }))
        succeed(await ana.from('third_party_notes').insert({ text: 'of Ana' }))
      })
      .subscribe()
  })
  assert.equal((await heard).text, 'of Ana')
  assert.deepEqual(succeed(await ana.from('third_party_notes').select('owner,text')), [{ owner: 'user_2abC', text: 'of Ana' }])
  assert.equal((await bea.from('third_party_notes').insert({ owner: 'user_2abC', text: 'x' })).error.code, '42501')
  succeed(await plaza.admin().storage.createBucket('third-party'))
  assert.equal((await ana.storage.from('third-party').upload('a.txt', 'x')).error.statusCode, '403')
  await ana.removeAllChannels()
})

test('no account of the auth server is reached, also not by its id', async () => {
  const { user } = succeed(await plaza.admin().auth.admin.createUser({ email: newAddress(), password, email_confirm: true }))
  for (const [path, claims] of [
    ['GET /user', { sub: user.id }],
    ['GET /user', { sub: user.id, session_id: randomUUID() }],
    ['GET /admin/users', { role: 'service_role' }],
  ]) {
    const { status, json } = await plaza.send(path, { as: token(claims) })
    assert.deepEqual([status, json.error_code], [403, 'bad_jwt'], path)
  }
})

test('a token of another key, another issuer, or an expired one is refused', async () => {
  const [{ kid }] = issuer.keys
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  for (const [bearer, code] of [
    [token({ sub: 'a' }, { kid, privateKey: other }), 'PGRST301'],
    [token({ sub: 'a', iss: 'https://example.com' }), 'PGRST301'],
    [token({ sub: 'a', exp: 1000 }), 'PGRST303'],
  ]) {
    const { error, status } = await client(bearer).from('third_party_notes').select()
    assert.deepEqual([status, error.code], [401, code])
  }
  const asked = issuer.asked
  await Promise.all(Array.from({ length: 20 }, (_, n) => client(token({ sub: 'a' }, { kid: `made up ${n}`, privateKey: other })).from('third_party_notes').select()))
  assert.ok(issuer.asked <= asked + 2, `${issuer.asked - asked} requests to the issuer`)
})
