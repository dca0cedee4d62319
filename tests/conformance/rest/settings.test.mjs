// `plaza rest` as a replacement for a postgrest binary: its settings, each on a separate server on
// the suite's database.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { freePort, plaza, started, stopped } from '../server.mjs'
import { check, json, send, token } from './kit.mjs'

const secret = 'the-secret-of-one-server-of-the-suite'
const database = new URL(process.env.DATABASE_URL)
const running = []
after(() => Promise.all(running.map(stopped)))

/** Starts a server with PostgREST's settings and returns a function that sends requests to it. */
async function serve(settings, args = []) {
  const port = await freePort()
  const inherited = Object.fromEntries(Object.keys(process.env).filter((name) => name.startsWith('PGRST_')).map((name) => [name, undefined]))
  const server = plaza(['rest', ...args], {
    ...inherited, PGRST_DB_URI: database.href, PGRST_DB_ANON_ROLE: 'anon', PGRST_JWT_SECRET: secret,
    PGRST_DB_POOL: '2', PGRST_SERVER_HOST: '127.0.0.1', PGRST_SERVER_PORT: String(port), ...settings,
  })
  running.push(server)
  const base = `http://127.0.0.1:${port}`
  await started(server, base)
  return (line, options) => send(line, { ...options, base })
}

describe('settings of PostgREST 16', async () => {
  test('a table embedded twice has filters for each; errors show code and message alone', async () => {
    const ask = await serve({ PGRST_URL_USE_LEGACY_TARGET_NAMES: 'false', PGRST_CLIENT_ERROR_VERBOSITY: 'minimal' })
    check(await ask('/publishers?id=eq.1&select=books(id),long:books(id)&books.pages=lt.300&long.pages=gt.300&long.order=id&books.order=id'),
      { json: [{ books: [{ id: 1 }], long: [{ id: 2 }] }], headers: { Warning: null } })
    check(await ask('/publishers?select=list:books(id)&books.id=eq.1'),
      { status: 400, text: `{"code":"PGRST108","message":"'books' is not an embedded resource in this request"}` })
  })
  test('the role is where a JSON Path leads', async () => {
    const ask = await serve({ PGRST_JWT_ROLE_CLAIM_KEY: '$.realm["all roles"][?search(@, "^read")]' })
    check(await ask('/rpc/setting?name=role', { as: token({ realm: { 'all roles': ['offline', 'reader'] } }, secret) }), { json: 'reader' })
  })
})

const sum = '/books?select=pages.sum()'

describe('defaults', async () => {
  test('paths have no prefix; aggregates are refused; writes stay and may not be rolled back', async () => {
    const ask = await serve({})
    check(await ask('/subjects?id=eq.1'), { json: [{ id: 1, name: 'Barcelona' }], headers: { 'Content-Location': '/subjects?id=eq.1' } })
    check(await ask(sum), { status: 400, error: { code: 'PGRST123', message: 'Use of aggregate functions is not allowed', details: null, hint: null } })
    check(await ask('/rpc/setting?name=request.path'), { json: '/rpc/setting' })
    check(await ask('POST /subjects', { body: { id: 70, name: 'x' }, prefer: 'tx=rollback, return=headers-only' }),
      { status: 201, headers: { 'Preference-Applied': 'return=headers-only', Location: '/subjects?id=eq.70' } })
    check(await ask('DELETE /subjects?id=eq.70', { prefer: 'return=representation' }), { json: [{ id: 70, name: 'x' }] })
    check(await ask('/'), { headers: { 'Content-Type': 'application/openapi+json; charset=utf-8' } })
    check(await ask('/books', { 'Accept-Profile': 'archive' }), { status: 406, error: 'PGRST106' })
  })
  test('tokens: 401 with the reason', async () => {
    const ask = await serve({ PGRST_JWT_AUD: 'library' })
    const as = (claims, key = secret) => ({ as: token(claims, key) })
    const mode = '/rpc/setting?name=role'
    check(await ask(mode, as({ role: 'reader' })), { json: 'reader' })
    check(await ask(mode, as({ role: 'reader', aud: ['x', 'library'] })), { json: 'reader' })
    const refused = (message, code = 'PGRST303') => ({ status: 401, error: { code, message } })
    check(await ask(mode, as({ role: 'reader', aud: 'shop' })), refused('JWT not in audience'))
    check(await ask(mode, as({ role: 'reader', exp: 1 })), { ...refused('JWT expired'), headers: { 'WWW-Authenticate': 'Bearer error="invalid_token", error_description="JWT expired"' } })
    check(await ask(mode, as({ role: 'reader', nbf: 4102444800 })), refused('JWT not yet valid'))
    check(await ask(mode, as({ role: 'reader', iat: 4102444800 })), refused('JWT issued at future'))
    check(await ask(mode, as({ role: 'reader' }, 'x'.repeat(40))), refused('No suitable key or wrong key type', 'PGRST301'))
    check(await ask(mode, { as: 'x.y' }), refused('Expected 3 parts in JWT; got 2', 'PGRST301'))
    check(await ask(mode, { Authorization: 'Bearer ' }), refused('Empty JWT is sent in Authorization header', 'PGRST301'))
  })
})

test('jwt-role-claim-key, jwt-secret-is-base64', async () => {
  const ask = await serve({
    PGRST_JWT_ROLE_CLAIM_KEY: '.app.roles[1]', PGRST_JWT_SECRET_IS_BASE64: 'true', PGRST_JWT_SECRET: Buffer.from(secret).toString('base64'),
  })
  check(await ask('/rpc/setting?name=role', { as: token({ app: { roles: ['anon', 'reader'] } }, secret) }), { json: 'reader' })
})

test('without db-anon-role a token is needed', async () => {
  const ask = await serve({ PGRST_DB_ANON_ROLE: '' })
  check(await ask('/subjects'), { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, error: { code: 'PGRST302', message: 'Anonymous access is disabled' } })
  check(await ask('/subjects?id=eq.1', { as: token({ role: 'reader' }, secret) }), { json: [{ id: 1, name: 'Barcelona' }] })
})

test('db-schemas, db-extra-search-path, db-max-rows, db-pre-request, app.settings', async () => {
  const ask = await serve({
    PGRST_DB_SCHEMAS: 'archive, public', PGRST_DB_EXTRA_SEARCH_PATH: 'public, shared', PGRST_DB_MAX_ROWS: '2',
    PGRST_DB_PRE_REQUEST: 'shared.before_request', PGRST_APP_SETTINGS_MOTTO: 'silence',
  })
  check(await ask('/books?select=title&order=id&limit=1'), { json: [{ title: 'Llibre vermell' }], headers: { 'Content-Profile': 'archive' } })
  const archive = { 'Accept-Profile': 'public' }
  check(await ask('/books?select=id&order=id', archive), { json: [{ id: 1 }, { id: 2 }] })
  check(await ask('/books?select=id&order=id&limit=1', archive), { json: [{ id: 1 }] })
  check(await ask('/members?select=id&order=id&limit=1', { ...archive, prefer: 'count=exact' }), { status: 206, json: [{ id: 1 }], headers: { 'Content-Range': '0-0/3' } })
  check(await ask('/publishers?select=books(id)&id=eq.1&books.order=id', archive), { json: [{ books: [{ id: 1 }, { id: 2 }] }] })
  check(await ask('/rpc/greet', archive), { json: 'Bon dia' })
  check(await ask('/rpc/setting?name=app.settings.motto', archive), { json: 'silence' })
  check(await ask('/rpc/setting?name=library.visitor', { ...archive, 'X-Visitor': 'Ana' }), { json: 'Ana' })
  check(await ask('/books', { 'X-Closed': 'yes' }), { status: 503, error: { code: 'PT503', message: 'closed' } })
})

for (const [end, kept, heeded] of [['rollback', false, false], ['commit-allow-override', false, true], ['rollback-allow-override', false, true]]) {
  test(`db-tx-end = ${end}`, async () => {
    const ask = await serve({ PGRST_DB_TX_END: end })
    const applied = (value) => ({ 'Preference-Applied': value })
    check(await ask('POST /subjects', { body: { id: 71, name: 'x' }, prefer: 'tx=rollback' }), { status: 201, headers: applied(heeded ? 'tx=rollback' : null) })
    check(await ask('/subjects?id=eq.71'), { json: kept ? [{ id: 71, name: 'x' }] : [] })
  })
}

test('db-root-spec', async () => {
  const ask = await serve({ PGRST_DB_ROOT_SPEC: 'root_document' })
  check(await ask('/'), { json: { library: 'open' } })
})

test('openapi-mode, openapi-security-active, openapi-server-proxy-uri', async () => {
  const off = await serve({ PGRST_OPENAPI_MODE: 'disabled' })
  check(await off('/'), { status: 404, error: { code: 'PGRST126', message: 'Root endpoint metadata is disabled' } })
  const all = await serve({ PGRST_OPENAPI_MODE: 'ignore-privileges', PGRST_OPENAPI_SECURITY_ACTIVE: 'true', PGRST_OPENAPI_SERVER_PROXY_URI: 'https://library.example:8443/api' })
  const document = json(await all('/'))
  assert.ok(document.paths['/staff_only'])
  assert.deepEqual([document.host, document.basePath, document.schemes], ['library.example:8443', '/api', ['https']])
  assert.deepEqual(document.security, [{ JWT: [] }])
})

test('db-aggregates-enabled', async () => {
  const ask = await serve({ PGRST_DB_AGGREGATES_ENABLED: 'true' })
  check(await ask(sum), { json: [{ sum: 1452 }] })
})

test('a configuration file, under the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-conf.'))
  const file = join(folder, 'library.conf')
  await writeFile(file, '# comment\ndb-schemas = "archive"\ndb-max-rows = 2 # cut\ndb-anon-role = "nobody"\n')
  const ask = await serve({ PGRST_DB_MAX_ROWS: '1' }, [file])
  check(await ask('/books?select=id&order=id'), { json: [{ id: 1 }], headers: { 'Content-Profile': null } })
  check(await ask('/rpc/whereabouts'), { json: 'vault' })
  await rm(folder, { recursive: true })
})

test('SIGTERM ends it cleanly', async () => {
  await serve({})
  assert.equal(await stopped(running.at(-1)), 0)
})
