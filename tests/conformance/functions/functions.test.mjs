// Unmodified functions-js against functions of a project folder, run by deno.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createClient, FunctionRegion, FunctionsFetchError, FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'
import { eventually } from '../eventually.mjs'

const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey, SUPABASE_SERVICE_ROLE_KEY: serviceKey } = process.env
const { functions } = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
const address = (path) => `${url}/functions/v1/${path}`
const authorized = { Authorization: `Bearer ${anonKey}` }

async function invoke(name, options) {
  const { data, error, response } = await functions.invoke(name, options)
  assert.equal(error, null)
  assert.ok(response instanceof Response)
  return data
}

async function refused(kind, name, options) {
  const { data, error } = await functions.invoke(name, options)
  assert.ok(error instanceof kind, `${error?.name}: ${error?.message}`)
  assert.equal(data, null)
  return error.context
}

// deno's first start on a machine reads a program of 100 MB, which may take longer than a call may.
before(() => eventually('a response of a function', async () => (await functions.invoke('mirror')).error === null))

describe('bodies', () => {
  const form = new FormData()
  form.set('field', 'value')
  form.set('file', new Blob(['in a file']), 'a.txt')
  const cases = [
    ['an object', { a: [1, 'ñ'] }, 'application/json', '{"a":[1,"ñ"]}'],
    ['text', 'plain ñ', 'text/plain', 'plain ñ'],
    ['a Blob', new Blob(['of bytes']), 'application/octet-stream', 'of bytes'],
    ['a File', new File(['of a file'], 'a.txt'), 'application/octet-stream', 'of a file'],
    ['an ArrayBuffer', new TextEncoder().encode('buffer').buffer, 'application/octet-stream', 'buffer'],
    ['FormData', form, 'multipart/form-data', [['field', 'value'], ['file', 'in a file']]],
  ]
  for (const [name, body, type, seen] of cases)
    test(name, async () => {
      const data = await invoke('mirror', { body })
      assert.equal(data.type.split(';')[0], type)
      assert.deepEqual(data.body, seen)
    })
  test('a content type of the caller', async () => {
    const data = await invoke('mirror', { body: '<a/>', headers: { 'Content-Type': 'application/xml' } })
    assert.deepEqual([data.type, data.body], ['application/xml', '<a/>'])
  })
  test('one that is too large', async () => {
    const context = await refused(FunctionsRelayError, 'mirror', { body: new Blob([new Uint8Array(2e6)]) })
    assert.deepEqual([context.status, (await context.json()).code], [413, 'request_entity_too_large'])
  })
})

describe('methods, headers, paths', () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    test(method, async () => assert.equal((await invoke('mirror', { method })).method, method))
  test('headers of the call reach the function', async () => {
    const { headers } = await invoke('mirror', { headers: { 'x-custom': 'mine' } })
    assert.equal(headers['x-custom'], 'mine')
    assert.equal(headers.apikey, anonKey)
    assert.match(headers['x-client-info'], /supabase-js/)
  })
  test('a region is passed on and changes nothing', async () => {
    const data = await invoke('mirror', { region: FunctionRegion.UsEast1 })
    assert.equal(data.headers['x-region'], 'us-east-1')
    assert.equal(data.search, '?forceFunctionRegion=us-east-1')
  })
  test('a path below the name, and a query', async () => {
    const data = await invoke('mirror/a%20b/c?x=1&x=2', { method: 'GET' })
    assert.deepEqual([data.pathname, data.search], ['/mirror/a%20b/c', '?x=1&x=2'])
  })
})

describe('answers', () => {
  test('JSON', async () => assert.deepEqual(await invoke('kinds', { body: 'json' }), { kind: 'json' }))
  test('text', async () => assert.equal(await invoke('kinds', { body: 'text' }), 'text'))
  for (const kind of ['bytes', 'pdf'])
    test(kind, async () => {
      const blob = await invoke('kinds', { body: kind })
      assert.deepEqual([...new Uint8Array(await blob.arrayBuffer())], [0, 1, 254, 255])
    })
  test('a form', async () => assert.equal((await invoke('kinds', { body: 'form' })).get('kind'), 'form'))
  test('a stream of events', async () => assert.equal(await (await invoke('kinds', { body: 'events' })).text(), 'data: 1\n\ndata: 2\n\n'))
  test('nothing', async () => assert.equal(await invoke('kinds', { body: 'empty' }), ''))
})

describe('errors', () => {
  test('the function returns its own error', async () => {
    const context = await refused(FunctionsHttpError, 'fails', { body: { how: 'own' } })
    assert.deepEqual([context.status, context.headers.get('x-own'), await context.json()], [422, 'yes', { reason: 'mine' }])
  })
  test('it throws', async () => assert.equal((await refused(FunctionsHttpError, 'fails', { body: { how: 'throw' } })).status, 500))
  test('its process ends; the next call finds another', async () => {
    const context = await refused(FunctionsHttpError, 'fails', { body: { how: 'exit' } })
    assert.deepEqual([context.status, (await context.json()).code], [500, 'WORKER_ERROR'])
    const answer = await eventually('after a pause it runs again', async () => {
      const { data, error } = await functions.invoke('fails', { body: {} })
      if (error !== null) assert.ok(error instanceof FunctionsRelayError)
      return data
    })
    assert.equal(answer, 'fine')
  })
  const relayed = [
    ['it does not come up', 'crashes', 503, 'BOOT_ERROR'],
    ['there is none', 'nope', 404, 'function_not_found'],
    ['it is disabled', 'off', 404, 'function_not_found'],
    ['a folder that is shared', '_shared', 404, 'function_not_found'],
  ]
  for (const [name, called, status, code] of relayed)
    test(name, async () => {
      const context = await refused(FunctionsRelayError, called)
      assert.deepEqual([context.status, (await context.json()).code], [status, code])
    })
  test('it takes longer than it may', async () => {
    const context = await refused(FunctionsRelayError, 'slow', { body: { ms: 60_000 } })
    assert.deepEqual([context.status, (await context.json()).code], [504, 'function_timeout'])
  })
})

describe('time', () => {
  test('a slow answer', async () => assert.equal(await invoke('slow', { body: { ms: 50 } }), 'slow'))
  test("the caller's time-out", async () => {
    await refused(FunctionsFetchError, 'slow', { body: { ms: 60_000 }, timeout: 50 })
  })
  test('the caller aborts', async () => {
    const { came: before } = await invoke('slow', { body: {} })
    const control = new AbortController()
    const call = functions.invoke('slow', { body: { ms: 60_000 }, signal: control.signal, timeout: 30_000 })
    while ((await invoke('slow', { body: {} })).came === before);
    control.abort()
    assert.ok((await call).error instanceof FunctionsFetchError)
  })
})

describe('tokens', () => {
  const call = (name, headers, method = 'POST') => fetch(address(name), { method, headers })
  test('an anon key, a service key, a key of the newer kind', async () => {
    for (const key of [anonKey, serviceKey]) assert.equal((await call('hello', { Authorization: `Bearer ${key}` })).status, 200)
    assert.equal((await call('hello', { apikey: anonKey })).status, 200)
  })
  const bad = [
    ['none', {}, 'missing_authorization'],
    ['a broken one', { Authorization: 'Bearer a.b.c' }, 'invalid_jwt'],
    ['one signed by another', { Authorization: `Bearer ${anonKey.split('.').slice(0, 2).join('.')}.AAAA` }, 'invalid_jwt'],
    ['none that is a JWT', { Authorization: 'Basic dTpw' }, 'missing_authorization'],
  ]
  for (const [name, headers, code] of bad)
    test(name, async () => {
      const response = await call('hello', headers)
      assert.equal(response.status, 401)
      assert.equal(response.headers.get('x-relay-error'), 'true')
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.equal((await response.json()).code, code)
    })
  test('verify_jwt = false: any header is the function\'s own', async () => {
    for (const headers of [{}, { Authorization: 'Basic dTpw' }, { Authorization: 'Bearer a.b.c' }]) assert.equal((await call('open', headers)).status, 200)
  })
})

describe('the environment of a function', () => {
  test('its environment, and the project by both keys', async () => {
    assert.deepEqual(await invoke('open'), {
      greeting: 'hola', database: 'postgres', jwks: true, secret: true, home: '', jwtSecret: '', asAnon: 0, asService: 1,
    })
  })
  test('its entrypoint and import map of config.toml', async () => assert.equal(await invoke('moved'), 'moved'))
  test('a default export', async () => assert.deepEqual(await invoke('default-export', { method: 'PUT' }), { method: 'PUT', path: '/default-export' }))
})

describe('browsers', () => {
  test('a preflight is the function\'s to answer, without a token', async () => {
    const response = await fetch(address('open'), { method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://app.example')
  })
  test('a WebSocket', async () => {
    const socket = new WebSocket(`${address('socket').replace('http', 'ws')}?apikey=${anonKey}`)
    const said = await new Promise((done, fail) => {
      socket.onopen = () => socket.send('one')
      socket.onmessage = ({ data }) => done(data)
      socket.onerror = () => fail(new Error('no socket'))
    })
    socket.close()
    assert.equal(said, 'echo one')
  })
  test('headers between server and function are not the caller\'s to set', async () => {
    const { error } = await functions.invoke('hello', { headers: { 'x-plaza-probe': '1' } })
    assert.equal(error, null)
    assert.equal((await fetch(address('hello'), { method: 'POST', headers: { ...authorized, 'x-plaza-edge': 'guess' } })).status, 200)
  })
})
