// The built-in project's named functions, called by unmodified functions-js.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'

const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey } = process.env
const { functions } = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })

test('API-01, FN-04, FN-05: a CSRF token is valid for the session it was made for', async () => {
  const sessionId = randomUUID()
  const made = await functions.invoke('generate-csrf-token', { body: { sessionId } })
  assert.equal(made.error, null)
  const check = async (question) => (await functions.invoke('validate-csrf-token', { body: question })).data
  assert.deepEqual(await check({ token: made.data.token, sessionId }), { valid: true })
  assert.deepEqual(await check({ token: made.data.token, sessionId: randomUUID() }), { valid: false })
  assert.deepEqual(await check({ token: randomUUID(), sessionId }), { valid: false }, 'FN-06: one that the client made')
})

test('errors of functions and of the checks before them', async () => {
  const { error: own } = await functions.invoke('generate-csrf-token', { body: {} })
  assert.ok(own instanceof FunctionsHttpError)
  assert.equal((await own.context.json()).code, 'session_required')
  const { error: relayed } = await functions.invoke('nothing-of-this-name')
  assert.ok(relayed instanceof FunctionsRelayError)
  assert.equal((await relayed.context.json()).code, 'function_not_found')
})

test('FN-14: geolocation, off by default', async () => {
  const { data, error } = await functions.invoke('geolocation', { method: 'GET' })
  assert.equal(error, null)
  assert.deepEqual(data, { city: null, country_name: 'Andorra' })
})
