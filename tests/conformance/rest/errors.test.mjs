// The data API's own errors, and the statuses of PostgreSQL's errors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asAna, cases, check, client, send } from './kit.mjs'

describe('PGRST1xx: the request', () => {
  const parse = { status: 400, error: 'PGRST100' }
  cases([
    ['PGRST100: select', '/books?select=id,,title', {}, parse],
    ['PGRST100: an embed that does not end', '/books?select=id,covers(file', {}, parse],
    ['PGRST100: a tree that does not end', '/books?or=(id.eq.1', {}, parse],
    ['PGRST100: a filter without a value', '/books?id=eq', {}, parse],
    ['PGRST100: order', '/books?order=id.asc.desc', {}, parse],
    ['PGRST100: a list without brackets', '/books?id=in.1,2', {}, parse],
    ['PGRST101', 'PATCH /rpc/add_up', { body: {} }, { status: 405, error: { code: 'PGRST101', message: 'Cannot use the PATCH method on RPC' } }],
    ['PGRST102', 'POST /subjects', { body: '' }, { status: 400, error: { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null } }],
    ['PGRST102: keys that differ', 'POST /subjects', { body: [{ id: 8 }, { name: 'x' }] }, { status: 400, error: { code: 'PGRST102', message: 'All object keys must match' } }],
    ['PGRST103', '/books', { range: '2-1' }, { status: 416, error: 'PGRST103' }],
    ['PGRST106', '/books', { 'Accept-Profile': 'nowhere' }, { status: 406, error: { code: 'PGRST106', message: 'Invalid schema: nowhere' } }],
    ['PGRST107', '/books', { accept: 'image/png, image/gif' }, { status: 406, error: { code: 'PGRST107', message: 'None of these media types are available: image/png, image/gif' } }],
    ['PGRST117', 'PROPFIND /books', {}, { status: 405, error: { code: 'PGRST117', message: 'Unsupported HTTP method: PROPFIND' } }],
    ['PGRST125: two slashes', '//books', {}, { status: 404, error: 'PGRST125' }],
    ['PGRST125', '/books/1/pages', {}, { status: 404, error: { code: 'PGRST125', message: 'Invalid path specified in request URL', details: null, hint: null } }],
    ['PGRST127: an aggregate of a spread to many', '/publishers?select=...books(pages.sum())', {},
      { status: 400, error: { code: 'PGRST127', message: 'Feature not implemented' } }],
  ])
})

describe('PGRST2xx: the schema', () => {
  cases([
    ['PGRST205', '/bookz', {},
      { status: 404, error: { code: 'PGRST205', message: "Could not find the table 'public.bookz' in the schema cache", hint: "Perhaps you meant the table 'public.books'", details: null } }],
    ['PGRST205 without a name near', '/zzzzzz', {}, { status: 404, error: { code: 'PGRST205', hint: null } }],
    ['PGRST205, writing', 'POST /zzzzzz', { body: {} }, { status: 404, error: 'PGRST205' }],
    ['PGRST204', 'PATCH /books?id=eq.1&columns=nope', { body: { nope: 1 } }, { status: 400, error: { code: 'PGRST204', message: "Could not find the 'nope' column of 'books' in the schema cache" } }],
    ['PGRST202: a text argument', 'POST /rpc/zzzzzz', { type: 'text/plain', body: 'x' },
      { status: 404, error: { code: 'PGRST202', message: 'Could not find the function public.zzzzzz in the schema cache', hint: null,
        details: 'Searched for the function public.zzzzzz with a single unnamed text parameter, but no matches were found in the schema cache.' } }],
  ])
})

describe('SQLSTATE and status', () => {
  const statuses = {
    '08006': 503, '09000': 500, '0L000': 403, '0P000': 403, '23503': 409, '23505': 409, '23502': 400, '22012': 400, '25006': 405, '25001': 500,
    '28000': 403, '2D000': 500, '38000': 500, '39000': 500, '3B000': 500, '40001': 409, '53400': 500, '53300': 503, '54000': 400, '55006': 409,
    '57014': 504, '58000': 500, F0000: 500, HV000: 500, P0001: 400, P0002: 500, XX000: 500, '42883': 404, '42P01': 404, '42P17': 500, '21000': 500,
    '42703': 400, PT418: 418, PTXYZ: 500, '12345': 400,
  }
  for (const [code, status] of Object.entries(statuses)) {
    test(`${code} is ${status}`, async () => check(await send('POST /rpc/fail', { body: { code } }), { status, error: { code, message: 'no', details: null } }))
  }
  cases([
    ['42501 is 401 for nobody', 'POST /rpc/fail', { body: { code: '42501' } }, { status: 401, error: '42501' }],
    ['42501 is 403 for a user', 'POST /rpc/fail', { as: asAna, body: { code: '42501' } }, { status: 403, error: '42501' }],
    ['what no rows may be is no secret of the schema', '/hidden.books', {}, { status: 404, error: 'PGRST205' }],
  ])
})

test('postgrest-js: an error is an object, or thrown', async () => {
  const { data, error, status, statusText } = await client().from('bookz').select()
  assert.deepEqual([data, status, statusText], [null, 404, 'Not Found'])
  assert.deepEqual({ ...error, name: undefined }, {
    code: 'PGRST205', details: null, hint: "Perhaps you meant the table 'public.books'", message: "Could not find the table 'public.bookz' in the schema cache", name: undefined,
  })
  await assert.rejects(async () => client().from('bookz').select().throwOnError(), { code: 'PGRST205' })
})
