// Media types: the response's format, by Accept.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, client, send } from './kit.mjs'

const object = 'application/vnd.pgrst.object+json'
const stripped = 'application/vnd.pgrst.array+json;nulls=stripped'
const one = '/subjects?id=eq.1'

describe('JSON', () => {
  const type = (name) => ({ headers: { 'Content-Type': name } })
  cases([
    ['by default', one, {}, { json: [{ id: 1, name: 'Barcelona' }], ...type('application/json; charset=utf-8') }],
    ['*/*', one, { accept: '*/*' }, { status: 200, ...type('application/json; charset=utf-8') }],
    ['application/*', one, { accept: 'application/*' }, { status: 200, ...type('application/json; charset=utf-8') }],
    ['the first of several that can be had', one, { accept: 'image/gif, text/csv, */*' }, { text: 'id,name\n1,Barcelona', ...type('text/csv; charset=utf-8') }],
    ['weights', one, { accept: 'text/csv;q=0.5, application/json' }, { status: 200, ...type('application/json; charset=utf-8') }],
    ['array', one, { accept: 'application/vnd.pgrst.array+json' }, { json: [{ id: 1, name: 'Barcelona' }], ...type('application/json; charset=utf-8') }],
    ['one object', one, { accept: object }, { json: { id: 1, name: 'Barcelona' }, ...type('application/vnd.pgrst.object+json; charset=utf-8') }],
    ['one object of none', '/subjects?id=eq.99', { accept: object },
      { status: 406, error: { code: 'PGRST116', message: 'Cannot coerce the result to a single JSON object', details: 'The result contains 0 rows', hint: null } }],
    ['one object of several', '/subjects', { accept: object }, { status: 406, error: { code: 'PGRST116', details: 'The result contains 4 rows' } }],
    ['without nulls', '/copies?book_id=eq.3', { accept: stripped }, { text: '[{"book_id":3,"number":1,"shelf":"P7"}]', ...type('application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8') }],
    ['one object without nulls', '/copies?book_id=eq.3', { accept: `${object};nulls=stripped` },
      { text: '{"book_id":3,"number":1,"shelf":"P7"}', ...type('application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8') }],
    ['a type that cannot be had', one, { accept: 'application/msword' }, { status: 406, error: { code: 'PGRST107', message: 'None of these media types are available: application/msword' } }],
  ])
})

describe('CSV', () => {
  cases([
    ['quotes, commas, nulls', '/copies?order=book_id,number', { accept: 'text/csv' }, { text: 'book_id,number,shelf,condition\n1,1,A1,good\n1,2,A1,worn\n3,1,P7,' }],
    ['some columns, renamed', '/books?select=name:title,tags&id=eq.6', { accept: 'text/csv' }, { text: 'name,tags\n"100% wool, *knitted*","{""a,b"",""c d""}"' }],
    ['no rows', '/books?id=eq.0', { accept: 'text/csv' }, { text: '\n' }],
    ['after an insert', 'POST /subjects', { accept: 'text/csv', prefer: 'return=representation', body: { id: 9, name: 'x' } }, { status: 201, text: 'id,name\n9,x' }],
    ['of a function', '/rpc/loan_counts', { accept: 'text/csv' }, { text: 'book_id,loans\n1,2\n3,1' }],
  ])
})

describe('text, binary and XML', () => {
  const type = (name) => ({ headers: { 'Content-Type': name } })
  cases([
    ['text/plain', '/rpc/motto', { accept: 'text/plain' }, { text: 'Silence, please', ...type('text/plain; charset=utf-8') }],
    ['text/xml', '/rpc/feed', { accept: 'text/xml' }, { text: '<feed><book>1</book></feed>', ...type('text/xml; charset=utf-8') }],
    ['a type of the project', '/rpc/note', { accept: 'image/x-note' }, { text: 'note', ...type('image/x-note') }],
    ['any type, with the one the function names', '/rpc/anything', { accept: 'app/bingo' }, { text: 'free', ...type('app/free') }],
    ['a type its function does not have', '/rpc/note', { accept: 'text/csv' }, { status: 406, error: 'PGRST107' }],
    ['a type without a handler', '/rpc/add_up?a=1', { accept: 'text/plain' }, { status: 406, error: { code: 'PGRST107', message: 'None of these media types are available: text/plain' } }],
    ['an aggregate over the rows', '/books?order=id&limit=2', { accept: 'text/markdown' }, { text: '- La plaça del Diamant\n- Mirall trencat\n', ...type('text/markdown') }],
    ['the same rows as JSON', '/books?order=id&limit=1&select=id', {}, [{ id: 1 }]],
    ['another table has no such aggregate', one, { accept: 'text/markdown' }, { status: 406, error: 'PGRST107' }],
    ['an aggregate over a function\'s rows', '/rpc/longer_than?min_pages=400', { accept: 'text/markdown' }, { text: '- Mirall trencat\n' }],
  ])
  test('bytes are left as they are', async () => {
    const { bytes, headers } = await send('/rpc/stamp', { accept: 'application/octet-stream' })
    assert.deepEqual([...bytes], [1, 255])
    assert.equal(headers.get('content-type'), 'application/octet-stream')
  })
})

describe('domains with a representation of their own', () => {
  const row = { prefer: 'return=representation' }
  cases([
    ['read', '/ribbons?order=id', {}, [{ id: 1, shade: '#0000ff' }, { id: 2, shade: '#ff0000' }]],
    ['renamed', '/ribbons?select=s:shade&id=eq.1', {}, [{ s: '#0000ff' }]],
    ['filtered by it', '/ribbons?select=id&shade=eq.%23ff0000', {}, [{ id: 2 }]],
    ['filtered by a list', '/ribbons?select=id&shade=in.(%23ff0000,%230000ff)&order=id', {}, [{ id: 1 }, { id: 2 }]],
    ['in a tree of conditions', '/ribbons?select=id&or=(shade.eq.%230000ff,id.eq.7)', {}, [{ id: 1 }]],
    ['inserted', 'POST /ribbons', { ...row, body: { id: 3, shade: '#000102' } }, { status: 201, json: [{ id: 3, shade: '#000102' }] }],
    ['updated', 'PATCH /ribbons?shade=eq.%230000ff', { ...row, body: { shade: '#00ff00' } }, [{ id: 1, shade: '#00ff00' }]],
  ])
})

test('postgrest-js: csv, single and stripNulls', async () => {
  assert.equal((await client().from('subjects').select('name').eq('id', 1).csv()).data, 'name\nBarcelona')
  assert.deepEqual((await client().from('copies').select().eq('book_id', 3).stripNulls()).data, [{ book_id: 3, number: 1, shelf: 'P7' }])
  assert.deepEqual((await client().from('copies').select().eq('book_id', 3).stripNulls().single()).data, { book_id: 3, number: 1, shelf: 'P7' })
})
