// The Prefer header, and the headers of a response.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, check, client, send } from './kit.mjs'

const applied = (value) => ({ headers: { 'Preference-Applied': value } })

const unknownZone = { code: '22023', message: 'invalid value for parameter "TimeZone": "Mars/Base"', details: null, hint: null }

describe('handling', () => {
  cases([
    ['unknown preferences are ignored', '/subjects?id=eq.1', { prefer: 'anything, handling=lenient' }, applied('handling=lenient')],
    ['or refused', '/subjects', { prefer: 'handling=strict, anything, tomorrow=yes' },
      { status: 400, error: { code: 'PGRST122', message: 'Invalid preferences given with handling=strict', details: 'Invalid preferences: anything, tomorrow=yes', hint: null } }],
    ['strict with known ones', '/subjects?id=eq.1', { prefer: 'handling=strict, count=exact' }, { status: 200, ...applied('count=exact, handling=strict') }],
    ['without any', '/subjects', {}, applied(null)],
  ])
})

describe('timezone', () => {
  cases([
    ['moments in a zone', '/members?select=joined&id=eq.1', { prefer: 'timezone=America/Los_Angeles' },
      { json: [{ joined: '2024-01-01T04:00:00-08:00' }], ...applied('timezone=America/Los_Angeles') }],
    ['in a function', '/rpc/zone', { prefer: 'timezone=Europe/Madrid' }, { json: 'Europe/Madrid' }],
    ['hours from UTC', '/members?select=joined&id=eq.1', { prefer: 'timezone=-4' }, { json: [{ joined: '2024-01-01T08:00:00-04:00' }], ...applied('timezone=-4') }],
    ['an unknown zone', '/members?select=joined&id=eq.1', { prefer: 'timezone=Mars/Base' }, { status: 400, error: unknownZone }],
    ['an unknown zone, leniently', '/members', { prefer: 'handling=lenient, timezone=Mars/Base' }, { status: 400, error: unknownZone }],
    ['an unknown zone, strictly', '/members', { prefer: 'handling=strict, timezone=Mars/Base' }, { status: 400, error: unknownZone }],
  ])
})

describe('max-affected', () => {
  const few = { prefer: 'handling=strict, max-affected=2' }
  cases([
    ['an update of more', 'PATCH /books?genre=eq.novel', { ...few, body: { pages: 1 } },
      { status: 400, error: { code: 'PGRST124', message: 'Query result exceeds max-affected preference constraint', details: 'The query affects 3 rows', hint: null } }],
    ['an update of no more', 'PATCH /books?id=in.(1,2)', { ...few, body: { pages: 1 } }, { status: 204, ...applied('handling=strict, max-affected=2') }],
    ['a deletion', 'DELETE /copies?number=gt.0', few, { status: 400, error: 'PGRST124' }],
    ['without strictness it counts for nothing', 'PATCH /books?genre=eq.novel', { prefer: 'max-affected=2', body: { pages: 1 } }, { status: 204, ...applied(null) }],
    ['a function of rows', 'POST /rpc/longer_than', { ...few, body: { min_pages: 1 } }, { status: 400, error: { code: 'PGRST124', details: 'The query affects 5 rows' } }],
    ['a function of no rows', 'POST /rpc/add_up', { ...few, body: { a: 1 } },
      { status: 400, error: { code: 'PGRST128', message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict' } }],
  ])
})

describe('tx', () => {
  cases([
    ['rollback', 'POST /subjects', { body: { id: 60, name: 'x' }, prefer: 'tx=rollback, return=representation' },
      { status: 201, json: [{ id: 60, name: 'x' }], ...applied('return=representation, tx=rollback') }],
    ['left nothing behind', '/subjects?id=eq.60', {}, []],
    ['of a read', '/subjects?id=eq.1', { prefer: 'tx=commit' }, { status: 200, ...applied('tx=commit') }],
  ])
})

describe('headers', () => {
  cases([
    ['Vary', '/subjects', {}, { headers: { Vary: 'Accept, Prefer, Range' } }],
    ['Content-Location names the query, its parts in order', '/subjects?select=id&order=id&id=eq.1', {}, { headers: { 'Content-Location': '/rest/v1/subjects?id=eq.1&order=id&select=id' } }],
    ['Proxy-Status names the error', '/nothing', {}, { status: 404, headers: { 'Proxy-Status': 'PostgREST; error=PGRST205' } }],
    ['WWW-Authenticate', '/staff_only', {}, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }],
  ])
})

test('postgrest-js: rollback and maxAffected', async () => {
  const rolledBack = await client().from('subjects').insert({ id: 61, name: 'x' }).select().rollback()
  assert.deepEqual(rolledBack.data, [{ id: 61, name: 'x' }])
  check(await send('/subjects?id=eq.61'), { json: [] })
  const many = await client().from('books').update({ pages: 1 }).eq('genre', 'novel').maxAffected(2)
  assert.equal(many.error.code, 'PGRST124')
})
