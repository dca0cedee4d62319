// Inserting, updating, upserting and deleting.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, check, client, send } from './kit.mjs'

const row = { prefer: 'return=representation' }
const also = (...more) => ({ prefer: ['return=representation', ...more].join(', ') })

describe('insert', () => {
  cases([
    ['one row, minimal by default', 'POST /subjects', { body: { id: 9, name: 'Food' } }, { status: 201, text: '', headers: { 'Content-Range': '*/*', Location: null, 'Preference-Applied': null } }],
    ['return=minimal', 'POST /subjects', { body: { id: 9, name: 'Food' }, prefer: 'return=minimal' }, { status: 201, text: '', headers: { 'Preference-Applied': 'return=minimal' } }],
    ['return=headers-only', 'POST /subjects', { body: { id: 9, name: 'Food' }, prefer: 'return=headers-only' },
      { status: 201, text: '', headers: { Location: '/rest/v1/subjects?id=eq.9', 'Preference-Applied': 'return=headers-only' } }],
    ['Location with a key of two columns', 'POST /copies', { body: { book_id: 4, number: 1 }, prefer: 'return=headers-only' }, { status: 201, headers: { Location: '/rest/v1/copies?book_id=eq.4&number=eq.1' } }],
    ['return=representation', 'POST /subjects', { ...row, body: { id: 9, name: 'Food' } },
      { status: 201, json: [{ id: 9, name: 'Food' }], headers: { 'Content-Type': 'application/json; charset=utf-8', 'Preference-Applied': 'return=representation' } }],
    ['some columns back, renamed', 'POST /subjects?select=label:name', { ...row, body: { id: 9, name: 'Food' } }, { status: 201, json: [{ label: 'Food' }] }],
    ['one object back', 'POST /subjects', { ...row, body: { id: 9, name: 'Food' }, accept: 'application/vnd.pgrst.object+json' }, { status: 201, json: { id: 9, name: 'Food' } }],
    ['many rows', 'POST /subjects?select=id', { ...row, body: [{ id: 8, name: 'a' }, { id: 9, name: 'b' }] }, { status: 201, json: [{ id: 8 }, { id: 9 }] }],
    ['many, counted', 'POST /subjects', { body: [{ id: 8, name: 'a' }, { id: 9, name: 'b' }], prefer: 'count=exact' }, { status: 201, headers: { 'Content-Range': '*/2' } }],
    ['no rows', 'POST /subjects', { ...row, body: [] }, { status: 201, json: [] }],
    ['CSV', 'POST /subjects', { ...row, type: 'text/csv', body: 'id,name\n8,"a, ""b"""\n9,NULL x' }, { status: 201, json: [{ id: 8, name: 'a, "b"' }, { id: 9, name: 'NULL x' }] }],
    ['CSV with nulls', 'POST /authors?select=name,country', { ...row, type: 'text/csv', body: 'name,country\nx,NULL' }, { status: 201, json: [{ name: 'x', country: null }] }],
    ['CSV with lines of different lengths', 'POST /subjects', { type: 'text/csv', body: 'id,name\n8,a,b' }, { status: 400, error: { code: 'PGRST102', message: 'All lines must have same number of fields' } }],
    ['a form', 'POST /subjects', { ...row, type: 'application/x-www-form-urlencoded', body: 'id=9&name=Sea+%26+sun' }, { status: 201, json: [{ id: 9, name: 'Sea & sun' }] }],
    ['columns names what is taken', 'POST /copies?columns=book_id,number', { ...row, body: [{ book_id: 4, number: 1, shelf: 'ignored' }] },
      { status: 201, json: [{ book_id: 4, number: 1, shelf: 'depot', condition: null }] }],
    ['what is missing is null', 'POST /copies?columns=book_id,number,shelf', { ...row, body: [{ book_id: 4, number: 1 }, { book_id: 4, number: 2, shelf: 'B' }] },
      { status: 201, json: [{ book_id: 4, number: 1, shelf: null, condition: null }, { book_id: 4, number: 2, shelf: 'B', condition: null }] }],
    ['missing=default', 'POST /copies?columns=book_id,number,shelf', { ...also('missing=default'), body: [{ book_id: 4, number: 1 }, { book_id: 4, number: 2, shelf: 'B' }] },
      { status: 201, headers: { 'Preference-Applied': 'missing=default, return=representation' },
        json: [{ book_id: 4, number: 1, shelf: 'depot', condition: null }, { book_id: 4, number: 2, shelf: 'B', condition: null }] }],
    ['rows of different keys', 'POST /subjects', { body: [{ id: 8, name: 'a' }, { id: 9 }] }, { status: 400, error: { code: 'PGRST102', message: 'All object keys must match' } }],
    ['JSON that is none', 'POST /subjects', { body: '{"id":' }, { status: 400, error: { code: 'PGRST102', message: 'Empty or invalid json' } }],
    ['an unknown column', 'POST /subjects?columns=id,nope', { body: { id: 1, nope: 2 } },
      { status: 400, error: { code: 'PGRST204', message: "Could not find the 'nope' column of 'subjects' in the schema cache" } }],
    ['an unknown key', 'POST /subjects', { body: { id: 9, name: 'x', nope: 2 } }, { status: 400, error: 'PGRST204' }],
    ['a generated column', 'POST /books', { body: { id: 9, title: 'x', author_id: 1, title_length: 3 } }, { status: 400, error: '428C9' }],
    ['an identity column that may be given', 'POST /authors?select=id', { ...row, body: { id: 77, name: 'x' } }, { status: 201, json: [{ id: 77 }] }],
    ['an identity column that may not', 'POST /members', { body: { id: 77, name: 'x' } }, { status: 400, error: '428C9' }],
    ['arrays, ranges, composites, JSON', 'POST /books?select=tags,in_print,details', { ...row, body: { id: 9, title: 'x', author_id: 1, tags: ['a', 'b c'], in_print: '[2020-01-01,2021-01-01)', details: { a: [1] } } },
      { status: 201, json: [{ tags: ['a', 'b c'], in_print: '[2020-01-01,2021-01-01)', details: { a: [1] } }] }],
    ['a composite', 'POST /publishers?select=seat', { ...row, body: { id: 9, name: 'x', seat: { street: 's', city: 'c', 'post code': '1' } } },
      { status: 201, json: [{ seat: { street: 's', city: 'c', 'post code': '1' } }] }],
    ['names in need of quotes', `POST /${encodeURIComponent('Größe & Maß')}`, { ...row, body: { id: 3, 'a.b': 1, 'say "hi"': 'x', 'käse,brot': null, 'full title': '', '(x)': 0, 'año:1': 1 } },
      { status: 201, json: [{ id: 3, 'full title': '', 'a.b': 1, 'käse,brot': null, 'say "hi"': 'x', '(x)': 0, 'año:1': 1 }] }],
    ['a partitioned table', 'POST /visits', { ...row, body: { day: '2025-06-01', branch: 'Port', visitors: 1 } }, { status: 201, json: [{ day: '2025-06-01', branch: 'Port', visitors: 1 }] }],
  ])
})

describe('broken rules', () => {
  cases([
    ['unique', 'POST /subjects', { body: { id: 1, name: 'x' } },
      { status: 409, error: { code: '23505', message: 'duplicate key value violates unique constraint "subjects_pkey"', details: 'Key (id)=(1) already exists.', hint: null } }],
    ['foreign key', 'POST /loans', { body: { book_id: 99, member_id: 1 } }, { status: 409, error: '23503' }],
    ['still referred to', 'DELETE /publishers?id=eq.1', {}, { status: 409, error: '23503' }],
    ['not null', 'POST /subjects', { body: { id: 9 } }, { status: 400, error: '23502' }],
    ['check', 'PATCH /loans?id=eq.2', { body: { returned_on: '2000-01-01' } }, { status: 400, error: '23514' }],
    ['an enum without such a value', 'PATCH /books?id=eq.2', { body: { genre: 'opera' } }, { status: 400, error: '22P02' }],
    ['a number out of range', 'POST /subjects', { body: { id: 9999999999, name: 'x' } }, { status: 400, error: '22003' }],
    ['no partition', 'POST /visits', { body: { day: '1999-01-01', branch: 'x', visitors: 1 } }, { status: 400, error: '23514' }],
  ])
})

describe('update', () => {
  cases([
    ['minimal by default', 'PATCH /books?id=eq.1', { body: { pages: 1 } }, { status: 204, text: '', headers: { 'Content-Range': '0-0/*', 'Content-Type': null } }],
    ['return=representation', 'PATCH /books?id=in.(1,2)&select=id,pages&order=id', { ...row, body: { pages: 1 } }, [{ id: 1, pages: 1 }, { id: 2, pages: 1 }]],
    ['return=headers-only', 'PATCH /books?id=eq.1', { body: { pages: 1 }, prefer: 'return=headers-only' }, { status: 204, text: '', headers: { 'Content-Range': '0-0/*', 'Preference-Applied': 'return=headers-only' } }],
    ['no row', 'PATCH /books?id=eq.99', { ...row, body: { pages: 1 } }, { status: 200, json: [] }],
    ['no row, minimal', 'PATCH /books?id=eq.99', { body: { pages: 1 } }, { status: 204, headers: { 'Content-Range': '*/*' } }],
    ['counted', 'PATCH /books?genre=eq.novel', { body: { pages: 1 }, prefer: 'count=exact' }, { status: 204, headers: { 'Content-Range': '0-2/3' } }],
    ['more rows than its limit', 'PATCH /subjects?select=name&limit=1', { ...row, body: { name: 'x' } }, { status: 400, error: 'PLZ008' }],
    ['as many rows as its limit', 'PATCH /subjects?select=name&limit=4', { ...row, body: { name: 'x' } }, [{ name: 'x' }, { name: 'x' }, { name: 'x' }, { name: 'x' }]],
    ['an empty object changes nothing', 'PATCH /subjects', { ...row, body: {} }, { status: 200, json: [] }],
    ['columns', 'PATCH /copies?book_id=eq.3&columns=shelf', { ...row, body: { shelf: 'X', condition: 'ignored' } }, [{ book_id: 3, number: 1, shelf: 'X', condition: null }]],
    ['missing=default', 'PATCH /copies?book_id=eq.3&columns=shelf', { ...also('missing=default'), body: {} }, [{ book_id: 3, number: 1, shelf: 'depot', condition: null }]],
    ['filtered by a JSON path', 'PATCH /books?details->>stars=eq.4&select=id', { ...row, body: { pages: 9 } }, [{ id: 2 }]],
    ['an unknown column', 'PATCH /books?id=eq.1', { body: { nope: 1 } }, { status: 400, error: 'PGRST204' }],
    ['an unknown column in the filter', 'PATCH /books?nope=eq.1', { body: { pages: 1 } }, { status: 400, error: '42703' }],
    ['one object that is none', 'PATCH /books?id=in.(1,2)', { ...row, body: { pages: 1 }, accept: 'application/vnd.pgrst.object+json' },
      { status: 406, error: { code: 'PGRST116', details: 'The result contains 2 rows' } }],
  ])
})

describe('delete', () => {
  cases([
    ['minimal by default', 'DELETE /copies?book_id=eq.3', {}, { status: 204, text: '', headers: { 'Content-Range': '*/*' } }],
    ['return=representation', 'DELETE /copies?book_id=eq.3&select=shelf', row, [{ shelf: 'P7' }]],
    ['counted', 'DELETE /copies?book_id=eq.1', { prefer: 'count=exact' }, { status: 204, headers: { 'Content-Range': '*/2' } }],
    ['no row', 'DELETE /copies?book_id=eq.99', row, []],
    ['more rows than its limit', 'DELETE /copies?book_id=eq.1&limit=1&select=number', row, { status: 400, error: 'PLZ008' }],
    ['by a filter on what is not embedded', 'DELETE /books?authors.name=eq.A', {}, { status: 400, error: 'PGRST108' }],
  ])
})

describe('upsert', () => {
  const merge = also('resolution=merge-duplicates')
  const ignore = also('resolution=ignore-duplicates')
  cases([
    ['merge: all rows were there', 'POST /subjects', { ...merge, body: [{ id: 1, name: 'x' }] },
      { status: 200, json: [{ id: 1, name: 'x' }], headers: { 'Preference-Applied': 'resolution=merge-duplicates, return=representation' } }],
    ['merge: one is new', 'POST /subjects', { ...merge, body: [{ id: 1, name: 'x' }, { id: 9, name: 'y' }] }, { status: 201, json: [{ id: 1, name: 'x' }, { id: 9, name: 'y' }] }],
    ['ignore', 'POST /subjects', { ...ignore, body: [{ id: 1, name: 'x' }, { id: 9, name: 'y' }] }, { status: 201, json: [{ id: 9, name: 'y' }] }],
    ['on_conflict: another unique column', 'POST /publishers?on_conflict=name&select=id,name', { ...merge, body: { id: 1, name: 'Club Editor' } }, { status: 200, json: [{ id: 1, name: 'Club Editor' }] }],
    ['on_conflict without a unique rule', 'POST /subjects?on_conflict=name', { ...merge, body: { id: 1, name: 'x' } }, { status: 400, error: '42P10' }],
    ['a key of two columns', 'POST /copies', { ...merge, body: { book_id: 1, number: 1, condition: 'new' } }, { status: 200, json: [{ book_id: 1, number: 1, shelf: 'A1', condition: 'new' }] }],
    ['missing=default', 'POST /copies?columns=book_id,number,shelf', { ...also('resolution=merge-duplicates', 'missing=default'), body: { book_id: 1, number: 1 } },
      { status: 200, json: [{ book_id: 1, number: 1, shelf: 'depot', condition: 'good' }] }],
    ['PUT changes', 'PUT /subjects?id=eq.1', { ...row, body: { id: 1, name: 'x' } }, { status: 200, json: [{ id: 1, name: 'x' }] }],
    ['PUT inserts', 'PUT /subjects?id=eq.9', { ...row, body: { id: 9, name: 'x' } }, { status: 201, json: [{ id: 9, name: 'x' }] }],
    ['PUT, minimal', 'PUT /subjects?id=eq.1', { body: { id: 1, name: 'x' } }, { status: 204, text: '' }],
    ['PUT without all of the key', 'PUT /copies?book_id=eq.1', { body: { book_id: 1, number: 1 } },
      { status: 405, error: { code: 'PGRST105', message: "Filters must include all and only primary key columns with 'eq' operators" } }],
    ['PUT with another operator', 'PUT /subjects?id=gt.1', { body: { id: 1, name: 'x' } }, { status: 405, error: 'PGRST105' }],
    ['PUT with a limit', 'PUT /subjects?id=eq.1&limit=1', { body: { id: 1, name: 'x' } }, { status: 400, error: { code: 'PGRST114', message: 'limit/offset querystring parameters are not allowed for PUT' } }],
    ['PUT with another key in the body', 'PUT /subjects?id=eq.1', { body: { id: 2, name: 'x' } }, { status: 400, error: { code: 'PGRST115', message: 'Payload values do not match URL in primary key column(s)' } }],
  ])
})

describe('views', () => {
  cases([
    ['insert through a view', 'POST /poetry', { ...row, body: { id: 9, title: 'x', author_id: 2, genre: 'poetry' } }, { status: 201, json: [{ id: 9, title: 'x', author_id: 2, genre: 'poetry' }] }],
    ['its check', 'POST /poetry', { body: { id: 9, title: 'x', author_id: 2, genre: 'novel' } }, { status: 400, error: '44000' }],
    ['update and its filter', 'PATCH /poetry?select=id', { ...row, body: { title: 'x' } }, [{ id: 3 }]],
    ['upsert', 'POST /poetry', { ...also('resolution=merge-duplicates'), body: { id: 3, title: 'x', author_id: 2, genre: 'poetry' } }, { status: 200, json: [{ id: 3, title: 'x', author_id: 2, genre: 'poetry' }] }],
    ['insert by a trigger', 'POST /borrowers?select=name,loans', { ...row, body: { name: 'Dora' } }, { status: 201, json: [{ name: 'Dora', loans: 0 }] }],
    ['a view that cannot be written', 'POST /book_cards', { body: { title: 'x' } }, { status: 400, error: '55000' }],
    ['a materialized view', 'DELETE /genre_totals?genre=eq.novel', {}, { status: 400, error: '42809' }],
  ])
})

describe('postgrest-js', () => {
  const from = (table) => client().from(table)
  test('insert, upsert, update, delete', async () => {
    const inserted = await from('subjects').insert([{ id: 8, name: 'a' }, { id: 9, name: 'b' }]).select()
    assert.deepEqual([inserted.status, inserted.data], [201, [{ id: 8, name: 'a' }, { id: 9, name: 'b' }]])
    const plain = await from('subjects').insert({ id: 8, name: 'a' })
    assert.deepEqual([plain.status, plain.data, plain.error], [201, null, null])
    const defaults = await from('copies').insert([{ book_id: 4, number: 1 }, { book_id: 4, number: 2, shelf: 'B' }], { defaultToNull: false }).select('shelf')
    assert.deepEqual(defaults.data, [{ shelf: 'depot' }, { shelf: 'B' }])
    const merged = await from('publishers').upsert({ id: 1, name: 'Club Editor', seat: null }, { onConflict: 'name' }).select('seat').single()
    assert.deepEqual(merged.data, { seat: null })
    const ignored = await from('subjects').upsert([{ id: 1, name: 'x' }, { id: 9, name: 'y' }], { ignoreDuplicates: true, count: 'exact' }).select()
    assert.deepEqual(ignored.data, [{ id: 9, name: 'y' }])
    const updated = await from('books').update({ pages: 1 }, { count: 'exact' }).eq('genre', 'novel')
    assert.deepEqual([updated.status, updated.count], [204, 3])
    const deleted = await from('copies').delete().eq('book_id', 3).select('shelf').single()
    assert.deepEqual(deleted.data, { shelf: 'P7' })
    const twice = await from('subjects').insert({ id: 1, name: 'x' })
    assert.deepEqual([twice.status, twice.error.code], [409, '23505'])
  })
})

test('a write stays when the request says so', async () => {
  const keep = { prefer: 'tx=commit' }
  check(await send('POST /subjects', { ...keep, body: { id: 50, name: 'kept' } }), { status: 201, headers: { 'Preference-Applied': 'tx=commit' } })
  check(await send('/subjects?id=eq.50'), { json: [{ id: 50, name: 'kept' }] })
  check(await send('DELETE /subjects?id=eq.50', keep), { status: 204 })
  check(await send('/subjects?id=eq.50'), { json: [] })
})
