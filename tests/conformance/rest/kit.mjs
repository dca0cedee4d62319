// Helpers of the data API's suites: requests written in one line, and responses compared only as
// far as a case specifies. The server rolls back each transaction unless a request asks otherwise
// (with-project.mjs and run.sh).
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createClient } from '@supabase/supabase-js'

const { SUPABASE_URL, SUPABASE_ANON_KEY, SUPABASE_SERVICE_ROLE_KEY, JWT_SECRET } = process.env

export const ana = '00000000-0000-4000-8000-00000000000a'
export const serviceKey = SUPABASE_SERVICE_ROLE_KEY

const base64 = (value) => Buffer.from(value).toString('base64url')

/** An access token with any claims, valid for an hour unless they say otherwise. */
export function token(claims, secret = JWT_SECRET) {
  const head = base64(JSON.stringify({ alg: 'HS256', typ: 'JWT' }))
  const body = base64(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600, ...claims }))
  return `${head}.${body}.${createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')}`
}

export const asAna = token({ role: 'authenticated', sub: ana })

/** Unmodified postgrest-js for the suite's server. */
export const client = (options = {}) =>
  createClient(SUPABASE_URL, SUPABASE_ANON_KEY, { auth: { persistSession: false, autoRefreshToken: false }, ...options })

/**
 * Sends "METHOD /path" (GET where only a path is given) with
 *   as      a bearer token
 *   body    text, or a value that is sent as JSON
 *   type    of the body
 *   accept, prefer, range and any other header by its name
 * to the suite's server, or to the one at base.
 */
export async function send(line, { as, body, type, headers, base, ...named } = {}) {
  const [, method = 'GET', path] = /^(?:([A-Z]+) )?(\/.*)$/s.exec(line)
  const sent = new Headers(base ? {} : { apikey: SUPABASE_ANON_KEY })
  if (as) sent.set('Authorization', `Bearer ${as}`)
  if (body !== undefined) sent.set('Content-Type', type ?? 'application/json')
  for (const [name, value] of Object.entries({ ...named, ...headers })) sent.set(name, value)
  const text = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const answer = await fetch(`${base ?? `${SUPABASE_URL}/rest/v1`}${path}`, { method, headers: sent, body: text })
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

const decoder = new TextDecoder()
export const text = (answer) => decoder.decode(answer.bytes)
export const json = (answer) => JSON.parse(text(answer))

/**
 * Compares an answer with what is wanted of it:
 *   status   200 where none is given
 *   json     the body's value; text: the body as it is
 *   error    the code alone, or any of code, message, details, hint
 *   headers  exactly these; null for one that must not be there
 */
export function check(answer, { status = 200, headers = {}, error, ...want }, what = '') {
  const body = text(answer)
  assert.equal(answer.status, status, `${what} ${body}`)
  if ('json' in want) assert.deepEqual(json(answer), want.json, what)
  if ('text' in want) assert.equal(body, want.text, what)
  if (error) {
    const got = json(answer)
    assert.deepEqual(Object.keys(got).sort(), ['code', 'details', 'hint', 'message'], what)
    for (const [name, value] of Object.entries(typeof error === 'string' ? { code: error } : error)) {
      if (value instanceof RegExp) assert.match(got[name], value, what)
      else assert.deepEqual(got[name], value, `${what}: ${name}`)
    }
  }
  for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers.get(name), value, `${what}: ${name}`)
}

/** A test for each [name, request, options, wanted]; if wanted is a list, it is the body. */
export function cases(rows) {
  for (const [name, line, options, wanted] of rows) {
    test(name, async () => check(await send(line, options), Array.isArray(wanted) ? { json: wanted } : wanted, line))
  }
}
