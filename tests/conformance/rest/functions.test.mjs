// Calling functions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, check, client, send } from './kit.mjs'

describe('arguments', () => {
  cases([
    ['in the query', '/rpc/add_up?a=1&b=2', {}, { json: 3, headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Range': '0-0/*' } }],
    ['in the body', 'POST /rpc/add_up', { body: { a: 1, b: 2 } }, { json: 3, headers: { 'Content-Range': '0-0/*' } }],
    ['defaults', '/rpc/add_up?a=1', {}, { json: 11 }],
    ['none', 'POST /rpc/pick', {}, { json: 'none' }],
    ['an empty object', 'POST /rpc/pick', { body: {} }, { json: 'none' }],
    ['a form', 'POST /rpc/add_up', { type: 'application/x-www-form-urlencoded', body: 'a=4&b=5' }, { json: 9 }],
    ['names in need of quotes', 'POST /rpc/odd%20name', { body: { 'first arg': 'é' } }, { json: 'é!' }],
    ['names in need of quotes, in the query', '/rpc/odd%20name?first%20arg=a', {}, { json: 'a!' }],
    ['variadic, in the query', '/rpc/total?numbers=1&numbers=2&numbers=3', {}, { json: 6 }],
    ['variadic, in the body', 'POST /rpc/total', { body: { numbers: [4, 5] } }, { json: 9 }],
    ['variadic, a form', 'POST /rpc/total', { type: 'application/x-www-form-urlencoded', body: 'numbers=1&numbers=2' }, { json: 3 }],
    ['an array', '/rpc/take_array?items={1,2,3}', {}, { json: 3 }],
    ['an array in the body', 'POST /rpc/take_array', { body: { items: [1, 2] } }, { json: 2 }],
    ['a composite', 'POST /rpc/take_address', { body: { place: { city: 'Vic' } } }, { json: 'Vic' }],
    ['JSON', 'POST /rpc/take_json', { body: { data: { k: 'v' } } }, { json: 'v' }],
    ['one unnamed json', 'POST /rpc/raw_json', { body: '{"b":1,  "a":2}' }, { text: '{"b":1,  "a":2}' }],
    ['one unnamed jsonb', 'POST /rpc/raw_jsonb', { body: [1, 2] }, { json: [1, 2] }],
    ['one unnamed text', 'POST /rpc/raw_text', { type: 'text/plain', body: 'hé' }, { json: 'HÉ' }],
    ['one unnamed bytea', 'POST /rpc/raw_bytes', { type: 'application/octet-stream', body: new Uint8Array([0, 255, 1]) }, { json: 3 }],
    ['one unnamed xml', 'POST /rpc/raw_xml', { type: 'text/xml', body: '<a>x</a>' }, { json: 'x' }],
  ])
})

describe('overloads', () => {
  cases([
    ['none', '/rpc/pick', {}, { json: 'none' }],
    ['one', '/rpc/pick?a=1', {}, { json: 'a' }],
    ['two', 'POST /rpc/pick', { body: { a: 1, b: 2 } }, { json: 'a, b' }],
    ['told apart by types alone', '/rpc/pick_type?a=1', {},
      { status: 300, error: { code: 'PGRST203', details: null, hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
        message: /^Could not choose the best candidate function between: public\.pick_type\(a => (integer|text)\), public\.pick_type\(a => (integer|text)\)$/ } }],
    ['no such name', '/rpc/ad_up', {},
      { status: 404, error: { code: 'PGRST202', message: 'Could not find the function public.ad_up without parameters in the schema cache', hint: 'Perhaps you meant to call the function public.add_up',
        details: 'Searched for the function public.ad_up without parameters, but no matches were found in the schema cache.' } }],
    ['no such arguments', 'POST /rpc/add_up', { body: { a: 1, c: 2 } },
      { status: 404, error: { code: 'PGRST202', message: 'Could not find the function public.add_up(a, c) in the schema cache', hint: 'Perhaps you meant to call the function public.add_up(a, b)',
        details: 'Searched for the function public.add_up with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.' } }],
    ['an argument too few', '/rpc/add_up?b=1', {}, { status: 404, error: 'PGRST202' }],
    ['one the caller may not call', '/rpc/forbidden', {}, { status: 401, error: { code: '42501', message: 'permission denied for function forbidden' } }],
  ])
})

describe('results', () => {
  cases([
    ['void', 'POST /rpc/nothing', {}, { status: 204, text: '', headers: { 'Content-Type': null } }],
    ['null', '/rpc/null_number', {}, { text: 'null' }],
    ['one composite', '/rpc/book_of?id=3&select=id,title', {}, { json: { id: 3, title: 'Mensagem' } }],
    ['no composite', '/rpc/book_of?id=99&select=id', {}, { json: { id: null } }],
    ['out arguments', '/rpc/page_range', {}, { json: { shortest: 96, longest: 408 } }],
    ['inout arguments', '/rpc/twice?n=4', {}, { json: { n: 8, word: 'xx' } }],
    ['a set of scalars', '/rpc/genre_list', {}, ['novel', 'poetry', 'essay', 'comics']],
    ['a table', '/rpc/loan_counts', {}, [{ book_id: 1, loans: 2 }, { book_id: 3, loans: 1 }]],
    ['a table, renamed', 'POST /rpc/loan_counts?select=n:loans', { body: { since: '2025-05-01' } }, [{ n: 1 }]],
    ['a set of rows: columns, filters, order and pages', '/rpc/longer_than?min_pages=90&select=id&genre=eq.novel&order=pages.desc&limit=2&offset=1', {},
      { json: [{ id: 4 }, { id: 1 }], headers: { 'Content-Range': '1-2/*' } }],
    ['filters of a POST stand in the query', 'POST /rpc/longer_than?select=id&genre=eq.poetry', { body: { min_pages: 1 } }, [{ id: 3 }]],
    ['a filter named as an argument is the argument', '/rpc/longer_than?min_pages=400&select=id&id=gt.0', {}, [{ id: 2 }]],
    ['counted', '/rpc/longer_than?min_pages=300&select=id&limit=1&order=id', { prefer: 'count=exact' }, { status: 206, json: [{ id: 2 }], headers: { 'Content-Range': '0-0/3' } }],
    ['a computed column', '/rpc/longer_than?min_pages=400&select=shelf->>letter', {}, [{ letter: 'M' }]],
    ['one object of a set', '/rpc/longer_than?min_pages=400&select=id', { accept: 'application/vnd.pgrst.object+json' }, { json: { id: 2 } }],
    ['one object of several', '/rpc/longer_than?min_pages=300', { accept: 'application/vnd.pgrst.object+json' }, { status: 406, error: 'PGRST116' }],
    ['rows that were written', 'POST /rpc/add_author?select=name', { body: { name: 'New' } }, [{ name: 'New' }]],
    ['HEAD', 'HEAD /rpc/longer_than?min_pages=300', { prefer: 'count=exact' }, { text: '', headers: { 'Content-Range': '0-2/3' } }],
  ])
})

describe('method and access', () => {
  const readOnly = { status: 405, error: { code: '25006', message: 'cannot execute INSERT in a read-only transaction' } }
  cases([
    ['POST of a volatile function may write', 'POST /rpc/access_mode', {}, { json: 'off' }],
    ['POST of a stable function may not', 'POST /rpc/stable_access_mode', {}, { json: 'on' }],
    ['GET may not', '/rpc/access_mode', {}, { json: 'on' }],
    ['GET of a function that writes', '/rpc/add_author?name=x', {}, readOnly],
    ['a setting of the function: its isolation level', '/rpc/isolation', {}, { json: 'serializable' }],
    ['PUT', 'PUT /rpc/pick', { body: {} }, { status: 405, error: { code: 'PGRST101', message: 'Cannot use the PUT method on RPC' } }],
    ['DELETE', 'DELETE /rpc/pick', {}, { status: 405, error: { code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' } }],
    ['a setting of the function: its time-out', 'POST /rpc/slow', {}, { status: 504, error: { code: '57014', message: 'canceling statement due to statement timeout' } }],
  ])
})

describe('status, headers and errors of the function', () => {
  cases([
    ['response.status', 'POST /rpc/teapot', {}, { status: 418 }],
    ['a status that is none', 'POST /rpc/bad_status', {}, { status: 500, error: { code: 'PGRST112', message: 'response.status guc must be a valid status code' } }],
    ['response.headers', 'POST /rpc/with_headers', {}, { json: 'done', headers: { 'X-Library': 'yes', 'Cache-Control': 'public', 'Set-Cookie': 'a=1, b=2' } }],
    ['headers that are none', 'POST /rpc/bad_headers', {},
      { status: 500, error: { code: 'PGRST111', message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value' } }],
    ['raise', 'POST /rpc/just_raise', {}, { status: 400, error: { code: 'P0001', message: 'closed today', details: 'It is Sunday', hint: 'Come on Monday' } }],
    ['PT402', 'POST /rpc/fail', { body: { code: 'PT402', message: 'pay first', detail: 'two loans', hint: 'at the desk' } },
      { status: 402, error: { code: 'PT402', message: 'pay first', details: 'two loans', hint: 'at the desk' } }],
    ['PGRST: all of the answer', 'POST /rpc/fail', { body: { code: 'PGRST', message: '{"code":"123","message":"moved","details":"d","hint":"h"}', detail: '{"status":332,"headers":{"X-Where":"cellar"}}' } },
      { status: 332, headers: { 'X-Where': 'cellar' }, error: { code: '123', message: 'moved', details: 'd', hint: 'h' } }],
    ['PGRST without a detail', 'POST /rpc/fail', { body: { code: 'PGRST', message: '{"code":"123","message":"m"}' } },
      { status: 500, error: { code: 'PGRST121', message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', details: 'DETAIL is missing in the RAISE statement' } }],
    ['PGRST with a message that is no JSON', 'POST /rpc/fail', { body: { code: 'PGRST', message: 'soup', detail: '{"status":332,"headers":{}}' } },
      { status: 500, error: { code: 'PGRST121', details: "Invalid JSON value for MESSAGE: 'soup'" } }],
  ])
})

test('postgrest-js: rpc in its forms', async () => {
  const call = (...args) => client().rpc(...args)
  assert.equal((await call('add_up', { a: 1, b: 2 })).data, 3)
  assert.equal((await call('add_up', { a: 1 }, { get: true })).data, 11)
  assert.equal((await call('take_array', { items: [1, 2, 3] }, { get: true })).data, 3)
  assert.deepEqual((await call('nothing')).status, 204)
  const rows = await call('longer_than', { min_pages: 90 }, { count: 'exact' }).select('id').eq('genre', 'novel').order('id').range(0, 1)
  assert.deepEqual([rows.count, rows.data], [3, [{ id: 1 }, { id: 2 }]])
  const head = await call('longer_than', { min_pages: 300 }, { head: true, count: 'exact' })
  assert.deepEqual([head.count, head.data], [3, null])
  const one = await call('book_of', { id: 1 }).select('title').single()
  assert.deepEqual(one.data, { title: 'La plaça del Diamant' })
  const { error, status } = await call('fail', { code: 'PT409', message: 'no' })
  assert.deepEqual([status, error.code, error.message], [409, 'PT409', 'no'])
})

test('a body of the wrong kind', async () => {
  check(await send('POST /rpc/add_up', { body: 'soup' }), { status: 400, error: 'PGRST102' })
  const unknown = { type: 'application/unknown', body: 'x' }
  check(await send('POST /rpc/raw_text', unknown), { status: 400, error: { code: 'PGRST102', message: 'Content-Type not acceptable: application/unknown' } })
})
