// Helpers of the storage server's suites.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'

export const url = process.env.SUPABASE_URL
export const base = `${url}/storage/v1`
export const serviceKey = process.env.SUPABASE_SERVICE_ROLE_KEY
export const anonKey = process.env.SUPABASE_ANON_KEY

/** Signs claims with the project's secret. */
export function token(claims, secret = process.env.JWT_SECRET) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

export const soon = () => Math.floor(Date.now() / 1000) + 3600
export const userToken = (id) => token({ role: 'authenticated', sub: id, exp: soon() })

const options = (bearer) => ({
  auth: { persistSession: false, autoRefreshToken: false },
  global: bearer ? { headers: { Authorization: `Bearer ${bearer}` } } : {},
})

/** storage-js with full rights, without any, and of a user. */
export const admin = createClient(url, serviceKey, options()).storage
export const anon = createClient(url, anonKey, options()).storage
export const member = (id) => createClient(url, anonKey, options(userToken(id))).storage

export const newUser = () => randomUUID()
export const newKey = (ending = 'txt') => `${randomUUID()}.${ending}`

export const succeed = ({ data, error }) => {
  assert.equal(error, null)
  return data
}

/** An error of storage-js: the HTTP status and the body's fields. */
export const refused = ({ error }, statusCode, message) => {
  assert.ok(error, 'it was not refused')
  assert.equal(error.statusCode, String(statusCode), error.message)
  if (message) assert.equal(error.message, message)
}

/** A request without storage-js; body and headers as given. */
export async function ask(method, path, { bearer = serviceKey, headers = {}, body, json } = {}) {
  const answer = await fetch(`${base}${path}`, {
    method,
    body: json === undefined ? body : JSON.stringify(json),
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    duplex: 'half',
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const text = bytes.toString()
  let parsed
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  return { status: answer.status, headers: answer.headers, bytes, text, json: parsed }
}

/** The complete body of an error. */
export const failed = (answer, status, statusCode, code, message) => {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.json).sort(), ['code', 'error', 'message', 'statusCode'])
  assert.equal(answer.json.statusCode, String(statusCode), answer.text)
  assert.equal(answer.json.code, code, answer.text)
  if (message) assert.equal(answer.json.message, message)
}

export const put = (key, content = 'hello', headers = {}, bucket = 'open') =>
  ask('POST', `/object/${bucket}/${key}`, { body: content, headers: { 'content-type': 'text/plain', ...headers } })

/** A picture of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
