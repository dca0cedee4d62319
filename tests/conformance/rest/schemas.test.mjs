// The schema and the caller of a request, and what SQL sees of it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { ana, asAna, cases, check, client, json, send, serviceKey, token } from './kit.mjs'

describe('profiles', () => {
  const archive = { 'Accept-Profile': 'archive' }
  const write = { 'Content-Profile': 'archive', prefer: 'return=representation' }
  cases([
    ['the first schema is the default', '/books?select=title&id=eq.2', {}, { json: [{ title: 'Mirall trencat' }], headers: { 'Content-Profile': 'public' } }],
    ['another', '/books?select=title&id=eq.2', archive, { json: [{ title: 'Tirant lo Blanc' }], headers: { 'Content-Profile': 'archive' } }],
    ['HEAD', 'HEAD /letters', archive, { headers: { 'Content-Profile': 'archive' } }],
    ['insert', 'POST /books', { ...write, body: { id: 9, title: 'x' } }, { status: 201, json: [{ id: 9, title: 'x', lost: false }], headers: { 'Content-Profile': 'archive' } }],
    ['update', 'PATCH /books?id=eq.1&select=lost', { ...write, body: { lost: true } }, [{ lost: true }]],
    ['delete', 'DELETE /letters?id=eq.1&select=id', write, [{ id: 1 }]],
    ['upsert', 'PUT /books?id=eq.1', { ...write, body: { id: 1, title: 'x' } }, [{ id: 1, title: 'x', lost: false }]],
    ['a function, by GET', '/rpc/whereabouts', archive, { json: 'vault' }],
    ['a function, by POST', 'POST /rpc/whereabouts', { 'Content-Profile': 'archive' }, { json: 'vault' }],
    ['embeds within it', '/letters?select=id,books(title)', archive, [{ id: 1, books: { title: 'Llibre vermell' } }]],
    ['a table is looked for there only', '/members', archive, { status: 404, error: { code: 'PGRST205', message: "Could not find the table 'archive.members' in the schema cache" } }],
    ['one that is not exposed', '/books', { 'Accept-Profile': 'hidden' },
      { status: 406, error: { code: 'PGRST106', message: 'Invalid schema: hidden', hint: 'Only the following schemas are exposed: public, archive', details: null } }],
    ['one that is not exposed, for writing', 'POST /books', { 'Content-Profile': 'hidden', body: {} }, { status: 406, error: 'PGRST106' }],
    ['functions of the search path are there', '/rpc/greet', {}, { json: 'Bon dia' }],
    ['but are not exposed', '/rpc/greeting', {}, { status: 404, error: 'PGRST202' }],
  ])
  test('postgrest-js: schema()', async () => {
    const { data } = await client().schema('archive').from('books').select('id, letters(sender)').eq('id', 1).single()
    assert.deepEqual(data, { id: 1, letters: [{ sender: 'Abbot' }] })
    assert.equal((await client().schema('archive').rpc('whereabouts')).data, 'vault')
    assert.equal((await client().schema('hidden').from('books').select()).error.code, 'PGRST106')
  })
})

describe('roles', () => {
  cases([
    ['nobody sees no notes', '/notes', {}, []],
    ['a user sees her own', '/notes?select=id', { as: asAna }, [{ id: 1 }]],
    ['service_role sees all', '/notes?select=id&order=id', { as: serviceKey }, [{ id: 1 }, { id: 2 }]],
    ['her own insert', 'POST /notes?select=owner,body', { as: asAna, body: { body: 'x' }, prefer: 'return=representation' }, { status: 201, json: [{ owner: ana, body: 'x' }] }],
    ['an insert for another', 'POST /notes', { as: asAna, body: { body: 'x', owner: '00000000-0000-4000-8000-00000000000b' } },
      { status: 403, error: { code: '42501', message: 'new row violates row-level security policy for table "notes"' } }],
    ['an update of another\'s row changes nothing', 'PATCH /notes?id=eq.2', { as: asAna, body: { body: 'x' }, prefer: 'return=representation' }, []],
    ['a table without a right: 401 without a user', '/staff_only', {}, { status: 401, error: { code: '42501', message: 'permission denied for table staff_only' } }],
    ['and 403 with one', '/staff_only', { as: asAna }, { status: 403, error: '42501' }],
    ['a right on one column', '/staff_only?select=id', { as: asAna }, [{ id: 1 }]],
    ['the role of the token', '/rpc/setting?name=role', { as: token({ role: 'reader' }) }, { json: 'reader' }],
    ['a role that does not exist', '/subjects', { as: token({ role: 'ghost' }) }, { status: 401, error: { code: '22023', message: 'role "ghost" does not exist' } }],
    ['a role\'s isolation level', '/rpc/setting?name=transaction_isolation', { as: token({ role: 'reader' }) }, { json: 'repeatable read' }],
    ['a role\'s time-out', 'POST /rpc/nap', { as: token({ role: 'hurried' }) }, { status: 504, error: '57014' }],
    ['an expired token', '/subjects', { as: token({ role: 'anon', exp: 1 }) }, { status: 401, error: { code: 'PGRST303', message: 'JWT expired' } }],
    ['a token of somebody else\'s secret', '/subjects', { as: token({ role: 'anon' }, 'another-secret-with-32-characters!!') }, { status: 401, error: 'PGRST301' }],
    ['a token that is none', '/subjects', { as: 'a.b.c' }, { status: 401, error: 'PGRST301' }],
  ])
})

describe('the request as seen by SQL', () => {
  const see = async (name, options, query = '') => json(await send(`/rpc/setting?name=${name}${query}`, options))
  test('method and path', async () => {
    assert.equal(await see('request.method'), 'GET')
    assert.equal(await see('request.path'), '/rpc/setting')
    check(await send('POST /rpc/setting', { body: { name: 'request.method' } }), { json: 'POST' })
  })
  test('headers, in lower case', async () => {
    const headers = JSON.parse(await see('request.headers', { 'X-Shelf': 'Ñ1' }))
    assert.ok(headers['x-shelf'])
    assert.ok(headers['user-agent'])
  })
  test('cookies', async () => {
    assert.deepEqual(JSON.parse(await see('request.cookies', { Cookie: 'a=1; b=two' })), { a: '1', b: 'two' })
  })
  test('claims', async () => {
    const claims = JSON.parse(await see('request.jwt.claims', { as: token({ role: 'authenticated', sub: ana, deep: { a: [1] } }) }))
    assert.deepEqual([claims.role, claims.sub, claims.deep], ['authenticated', ana, { a: [1] }])
  })
  test('nothing of one request reaches the next', async () => {
    await see('request.jwt.claims', { as: asAna })
    assert.equal(JSON.parse(await see('request.jwt.claims')).sub, undefined)
  })
})

describe('OPTIONS and CORS', () => {
  const allow = (path, methods) => [`Allow of ${path}`, `OPTIONS ${path}`, {}, { text: '', headers: { Allow: methods } }]
  cases([
    allow('/', 'OPTIONS,GET,HEAD'),
    allow('/books', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'),
    allow('/genre_totals', 'OPTIONS,GET,HEAD'),
    allow('/book_cards', 'OPTIONS,GET,HEAD'),
    allow('/borrowers', 'OPTIONS,GET,HEAD,POST'),
    allow('/rpc/pick', 'OPTIONS,GET,HEAD,POST'),
    allow('/rpc/access_mode', 'OPTIONS,POST'),
    ['of a function that is none', 'OPTIONS /rpc/nothing_like_it', {}, { status: 404, error: 'PGRST202' }],
    ['of a table that is none', 'OPTIONS /nothing', {}, { status: 404, error: 'PGRST205' }],
    ['a preflight', 'OPTIONS /books', { Origin: 'http://example.com', 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'Foo,Bar' },
      { status: 200, headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD', 'Access-Control-Max-Age': '86400' } }],
    ['what scripts may read', '/subjects?id=eq.1', { Origin: 'http://example.com' },
      { headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit' } }],
  ])
})

describe('the root', () => {
  test('is an OpenAPI document of what the caller may access', async () => {
    const answer = await send('/')
    check(answer, { headers: { 'Content-Type': 'application/openapi+json; charset=utf-8' } })
    const document = json(answer)
    assert.equal(document.swagger, '2.0')
    assert.deepEqual(Object.keys(document.paths['/books']).sort(), ['delete', 'get', 'patch', 'post'])
    assert.deepEqual(document.definitions.subjects.required, ['id', 'name'])
    assert.equal(document.definitions.books.properties.author_id.format, 'int32')
    assert.match(document.definitions.books.properties.author_id.description, /<fk table='authors' column='id'\/>/)
    assert.deepEqual(document.definitions.books.properties.genre.enum, ['novel', 'poetry', 'essay', 'comics'])
    assert.ok(document.paths['/rpc/add_up'].get && document.paths['/rpc/add_up'].post)
    assert.equal(document.paths['/staff_only'], undefined)
    assert.equal(document.paths['/rpc/forbidden'], undefined)
  })
  cases([
    ['in another schema', '/', { 'Accept-Profile': 'archive' }, { headers: { 'Content-Profile': 'archive' } }],
    ['HEAD', 'HEAD /', {}, { text: '' }],
    ['POST', 'POST /', { body: {} }, { status: 405, error: 'PGRST117' }],
  ])
})

describe('changes of the schema', () => {
  const keep = { prefer: 'tx=commit' }
  test('a new table is there after a while, without a restart', async () => {
    const name = `new_${createHash('sha1').update(String(process.pid)).digest('hex').slice(0, 8)}`
    check(await send(`/${name}`), { status: 404, error: 'PGRST205' })
    check(await send('POST /rpc/sign_on', { ...keep, body: { name } }), { status: 204 })
    let answer
    do answer = await send(`/${name}`)
    while (answer.status === 404)
    check(answer, { json: [] })
  })
  test('NOTIFY pgrst is harmless at any time', async () => {
    for (const what of ['reload schema', 'reload config', 'soup']) check(await send('POST /rpc/reload', { ...keep, body: { what } }), { status: 204 })
    check(await send('/subjects?select=id&id=eq.1'), { json: [{ id: 1 }] })
  })
})
