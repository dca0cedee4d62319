// The Supabase CLI from npm on a project that Plaza serves. docs/cli.md lists what it cannot do without Docker.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import { freePort, plaza, started, stopped } from '../conformance/server.mjs'

const command = fileURLToPath(new URL('../node_modules/.bin/supabase', import.meta.url))
const work = await mkdtemp(join(tmpdir(), 'plaza-cli.'))
await chmod(work, 0o755) // PostgreSQL's own user must be able to enter
const project = join(work, 'project')
const [port, postgres] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`
const remote = `--remote=postgres://postgres:postgres@127.0.0.1:${postgres}/postgres`
// No settings of this machine, no Docker, and no telemetry.
const env = { PATH: process.env.PATH, HOME: join(work, 'home'), DOCKER_HOST: `unix://${work}/docker.sock`, SUPABASE_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
let server, keys, supabase

/** Runs the CLI in the project's folder, without a terminal, and returns what it says and its exit code. */
function cli(...args) {
  return new Promise((done) => {
    const child = execFile(
      command,
      args,
      { cwd: project, env },
      (error, stdout, stderr) => done({ code: error ? (error.code ?? 1) : 0, stdout, said: stdout + stderr }),
    )
    child.stdin.end()
  })
}

async function succeed(...args) {
  const { code, stdout, said } = await cli(...args)
  assert.equal(code, 0, `supabase ${args.join(' ')}: ${said}`)
  return { stdout, said }
}

const migrations = () => readdir(join(project, 'supabase/migrations'))

async function migration(name, text) {
  await writeFile(join(project, 'supabase/migrations', name), text)
}

/** The rows of a table, once the data API knows it. */
async function rows(table) {
  for (;;) {
    const { data, error } = await supabase.from(table).select()
    if (!error) return data
    assert.equal(error.code, 'PGRST205')
  }
}

/** Replaces ports of config.toml. */
async function setPorts(ports) {
  const config = join(project, 'supabase/config.toml')
  await writeFile(config, (await readFile(config, 'utf8')).replace(/^port = (\d+)$/gm, (line, old) => `port = ${ports[old] ?? old}`))
}

before(async () => {
  await mkdir(project)
  await mkdir(join(work, 'home'))
  await succeed('init')
  await setPorts({ 54321: port, 54322: postgres })
  // The CLI applies the migrations here, and not the server.
  server = plaza(['serve', '--project', project], { PLAZA_DATA_DIR: join(work, 'data'), PLAZA_WATCH: 'false' })
  await started(server, `${url}/ready`)
  keys = JSON.parse(await readFile(join(work, 'data/secrets.json'), 'utf8')).keys
  supabase = createClient(url, keys.service_role)
})

after(async () => {
  if (server) await stopped(server)
  await rm(work, { recursive: true, force: true })
})

test('init makes a folder whose settings are known', () => {
  assert.doesNotMatch(server.log(), /is not known|ERROR/)
})

test('migration new, up and list', async () => {
  await succeed('migration', 'new', 'notes')
  const [name] = await migrations()
  const version = name.slice(0, 14)
  await migration(name, "create table notes (id int primary key, text text); insert into notes values (1, 'one');")
  assert.match((await succeed('migration', 'list')).said, new RegExp(`\`${version}\` \\| ` + '` `'))
  await succeed('migration', 'up')
  assert.deepEqual(await rows('notes'), [{ id: 1, text: 'one' }])
  for (const target of [[], [remote]]) assert.match((await succeed('migration', 'list', ...target)).said, new RegExp(`\`${version}\` \\| \`${version}\``))
})

test('db push, to the local and to a remote database', async () => {
  await migration('20980101000000_moods.sql', "create type mood as enum ('good', 'bad'); alter table notes add mood mood;")
  assert.match((await succeed('db', 'push', '--dry-run')).said, /20980101000000_moods\.sql/)
  await succeed('db', 'push', '--yes')
  assert.deepEqual(await rows('notes'), [{ id: 1, text: 'one', mood: null }])
  await migration('20990101000000_more.sql', 'create table more (id int primary key);')
  await writeFile(join(project, 'supabase/seed.sql'), 'insert into more values (7);')
  await succeed('db', 'push', '--include-seed', '--yes', remote)
  assert.deepEqual(await rows('more'), [{ id: 7 }])
  assert.match((await succeed('db', 'push')).said, /up to date/)
})

test('gen types', async () => {
  const { stdout } = await succeed('gen', 'types', remote, '--schema', 'public')
  assert.match(stdout, /"notes": \{\s+Row: \{/)
  assert.match(stdout, /"mood": "good"\|"bad"/)
})

test('db query and db advisors', async () => {
  assert.match((await succeed('db', 'query', 'select text from notes', '--read-only')).stdout, /one/)
  assert.match((await succeed('db', 'advisors')).stdout, /rls_disabled_in_public/)
})

test('db reset of a remote database leaves the platform working', async () => {
  const { data, error } = await supabase.auth.admin.createUser({ email: 'ana@shop.cat', password: 'secret' })
  assert.equal(error, null)
  await supabase.from('notes').insert({ id: 2, text: 'two' })
  // The CLI takes a database at the port of config.toml for the local stack, which it looks for in Docker.
  await setPorts({ [postgres]: 54322 })
  await succeed('db', 'reset', remote, '--yes')
  await setPorts({ 54322: postgres })
  assert.deepEqual(await rows('notes'), [{ id: 1, text: 'one', mood: null }])
  assert.deepEqual(await rows('more'), [{ id: 7 }])
  // The CLI empties the tables of auth. Users, sessions and objects can be made as before.
  assert.equal((await supabase.auth.admin.getUserById(data.user.id)).error?.code, 'user_not_found')
  assert.equal((await supabase.auth.admin.createUser({ email: 'ana@shop.cat', password: 'secret', email_confirm: true })).error, null)
  const client = createClient(url, keys.anon, { auth: { persistSession: false } })
  const signedIn = await client.auth.signInWithPassword({ email: 'ana@shop.cat', password: 'secret' })
  assert.equal(signedIn.error, null)
  assert.equal((await client.auth.signOut()).error, null)
  const refused = await fetch(`${url}/rest/v1/notes`, { headers: { apikey: keys.anon, authorization: `Bearer ${signedIn.data.session.access_token}` } })
  assert.equal(refused.status, 401)
  await supabase.storage.createBucket('photos')
  assert.equal((await supabase.storage.from('photos').upload('a.txt', 'a')).error, null)
  assert.doesNotMatch(server.log(), /does not exist/)
})

test('functions new', async () => {
  await succeed('functions', 'new', 'hello')
  assert.ok((await readdir(join(project, 'supabase/functions/hello'))).includes('index.ts'))
})

// Each needs Docker, or an extension that this PostgreSQL does not have; docs/cli.md names what to use instead.
for (const [args, reason] of [
  [['status'], /Docker/],
  [['db', 'reset'], /Docker/],
  [['db', 'dump', remote], /Docker/],
  [['db', 'diff', remote], /Docker/],
  [['test', 'db', remote, '--yes'], /Docker|pgtap/],
  [['db', 'lint'], /plpgsql_check/],
])
  test(`${args.slice(0, 2).join(' ')} says what it lacks`, async () => {
    const { code, said } = await cli(...args)
    assert.notEqual(code, 0)
    assert.match(said, reason)
  })

// Plaza's own commands on the same folder, where the CLI needs Docker.
for (const args of [['db', 'diff'], ['db', 'dump'], ['db', 'lint']])
  test(`plaza ${args.join(' ')} does it`, async () => {
    const run = plaza([...args, '--project', project], { PLAZA_DATA_DIR: join(work, 'data') })
    assert.equal(await run.ended, 0, run.log())
  })
