// A dump of a hosted project, restored as Supabase's guide says: files of `supabase db dump`
// (hosted/roles.sql, schema.sql, data.sql) with psql, and changes.sql of `supabase db diff --schema
// auth,storage`. The project works afterwards, and `plaza import` moves it to another Plaza.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import { eventually } from '../eventually.mjs'
import { freePort, plaza, started, stopped } from '../server.mjs'
import { proxy, run } from './import.mjs'

const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey, SUPABASE_SERVICE_ROLE_KEY: serviceKey, DATABASE_URL: database } = process.env
const client = (key = anonKey) => createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } })
const succeed = ({ data, error }) => {
  assert.equal(error, null)
  return data
}
const psql = (...args) => execFileSync('psql', ['--no-psqlrc', ...args, '--dbname', database], { encoding: 'utf8', cwd: new URL('hosted', import.meta.url) })
const sql = (text) => psql('--tuples-only', '--no-align', '--command', text).trim()

async function signIn(name, supabase = client()) {
  succeed(await supabase.auth.signInWithPassword({ email: `${name}@example.com`, password: `${name}-password` }))
  return supabase
}

/** The code of a TOTP factor (RFC 6238) at this time. */
function totp(secret) {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const sum = createHmac('sha1', key).update(counter).digest()
  return String((sum.readUInt32BE(sum[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

let ana
before(async () => {
  psql(
    '--single-transaction', '--variable', 'ON_ERROR_STOP=1', '--file', 'roles.sql', '--file', 'schema.sql',
    '--command', 'SET session_replication_role = replica', '--file', 'data.sql',
  )
  psql('--single-transaction', '--variable', 'ON_ERROR_STOP=1', '--file', 'changes.sql')
  ana = await signIn('ana')
})

describe('users', () => {
  test('keep passwords, metadata, identities and sessions', async () => {
    const { user } = succeed(await ana.auth.getUser())
    assert.deepEqual([user.id, user.user_metadata.full_name, user.created_at], ['11111111-1111-4111-8111-111111111111', 'Ana Puig', '2026-01-02T03:04:05Z'])
    assert.deepEqual(user.identities.map((i) => `${i.provider} ${i.id}`).sort(), ['email 11111111-1111-4111-8111-111111111111', 'github 4711'])
    const other = client()
    const { session } = succeed(await other.auth.refreshSession({ refresh_token: 'v4lidanatokn' }))
    assert.equal(session.user.id, user.id)
  })
  test('a second factor is asked for and verified', async () => {
    const ben = await signIn('ben')
    assert.deepEqual(succeed(await ben.auth.mfa.getAuthenticatorAssuranceLevel()).nextLevel, 'aal2')
    const [factor] = succeed(await ben.auth.mfa.listFactors()).totp
    assert.equal((await ben.auth.mfa.challengeAndVerify({ factorId: factor.id, code: '000000' })).error.code, 'mfa_verification_failed')
    succeed(await ben.auth.mfa.challengeAndVerify({ factorId: factor.id, code: totp('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP') }))
    assert.equal(succeed(await ben.auth.mfa.getAuthenticatorAssuranceLevel()).currentLevel, 'aal2')
  })
  test('a new one sets off the trigger of the project', async () => {
    const { user } = succeed(await client().auth.signUp({ email: 'eva@example.com', password: 'eva-password', options: { data: { full_name: 'Eva' } } }))
    assert.deepEqual(succeed(await client().from('profiles').select('full_name').eq('id', user.id)), [{ full_name: 'Eva' }])
  })
})

describe('rows', () => {
  test('are readable under policies', async () => {
    await eventually('the new schema', async () => (await ana.from('notes').select('id')).data)
    const own = succeed(await ana.from('notes').select('slug, body, tags, at, words, profiles(full_name)').order('id'))
    assert.deepEqual(own, [
      { slug: 'first', body: 'one\ttwo\nthree \\ four', tags: ['a', 'b c'], at: { latitude: 41.5, longitude: 2.1 }, words: 3, profiles: { full_name: 'Ana Puig' } },
      { slug: 'second', body: null, tags: [], at: null, words: 0, profiles: { full_name: 'Ana Puig' } },
    ])
    assert.deepEqual(succeed(await client().from('published_notes').select('title').order('id')), [{ title: 'First note' }, { title: "Ben's note" }])
    assert.deepEqual(succeed(await client().rpc('search_notes', { term: 'note' }).select('body')), [{ body: 'one\ttwo\nthree \\ four' }, { body: '\\.' }])
  })
  test('get the next ids, and triggers run', async () => {
    assert.deepEqual(succeed(await ana.from('notes').insert({ title: 'New' }).select('id, status')), [{ id: 4, status: 'draft' }])
    assert.equal(sql("select string_agg(concat_ws(' ', id, note_id, happened), ',' order by id) from private.audit"), '1 1 INSERT,2 2 INSERT,3 3 INSERT,4 4 INSERT')
  })
})

describe('objects', () => {
  test('are listed under policies', async () => {
    const folder = '11111111-1111-4111-8111-111111111111'
    assert.deepEqual(succeed(await ana.storage.from('documents').list(folder)).map((o) => [o.name, o.metadata.size]), [['plan 1.txt', 3]])
    assert.deepEqual(succeed(await (await signIn('ben')).storage.from('documents').list(folder)), [])
    const bucket = succeed(await client(serviceKey).storage.getBucket('avatars'))
    assert.deepEqual([bucket.public, bucket.file_size_limit, bucket.allowed_mime_types], [true, 1_000_000, ['image/png']])
  })
  test('count for quotas, and can be uploaded again', async () => {
    const used = () => sql("select string_agg(concat_ws(' ', bucket_id, bytes, objects), ',') from (select bucket_id, sum(bytes) as bytes, sum(objects) as objects from storage.usage group by 1 order by 1) u")
    assert.equal(used(), 'avatars 3 1,documents 3 1')
    const path = '11111111-1111-4111-8111-111111111111/plan 1.txt'
    assert.equal((await ana.storage.from('documents').download(path)).data, null, 'its bytes are not part of the dump')
    succeed(await ana.storage.from('documents').upload(path, 'plan B', { upsert: true, contentType: 'text/plain' }))
    assert.equal(await succeed(await ana.storage.from('documents').download(path)).text(), 'plan B')
    assert.equal(used(), 'avatars 3 1,documents 6 1')
  })
})

test('what Plaza does not use is kept', () => {
  for (const table of ['auth.sso_providers', 'auth.sso_domains', 'auth.saml_providers', 'auth.saml_relay_states', 'storage.buckets_analytics', 'storage.iceberg_namespaces',
    'storage.iceberg_tables', 'storage.buckets_vectors', 'storage.vector_indexes', 'supabase_functions.hooks', 'auth.instances']) {
    assert.equal(sql(`select count(*) from ${table}`), '1', table)
  }
})

test('extensions are there, or what stands in for them', () => {
  assert.equal(sql("select cron.schedule('again', '0 0 * * *', 'select 1')"), '4', 'the sequence of jobs goes on')
  assert.equal(sql("select string_agg(jobname, ',' order by jobid) from cron.job"), 'old-audit,again')
  assert.equal(sql("select string_agg(id || ' ' || (embedding operator(extensions.<->) '[1,2,5]')::numeric(3, 1), ',' order by id) from guides"), '1 2.0,2 4.4')
  assert.equal(sql("select pgmq.create('jobs'); select pgmq.send('jobs', '{}')"), '1')
  assert.match(sql("select string_agg(extname, ',' order by extname) from pg_extension"), /pg_cron,pg_graphql,pg_net,pg_stat_statements,pg_trgm/)
})

describe('plaza import', () => {
  // The access keys of every local stack.
  const keys = { AWS_ACCESS_KEY_ID: '625729a08b95bf1b7ff351a663f3a23c', AWS_SECRET_ACCESS_KEY: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907' }
  const objects = 14
  const admin = client(serviceKey)
  let home, settings
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'plaza-move.'))
    await chmod(home, 0o755) // PostgreSQL's own user must be able to enter
    await mkdir(join(home, 'supabase'))
    await writeFile(join(home, 'supabase/config.toml'), 'project_id = "target"\n')
    await writeFile(join(home, 'supabase/seed.sql'), "insert into public.notes (title) values ('of the seed');\n")
    settings = { ...keys, DATABASE_URL: '', PLAZA_DATA_DIR: join(home, 'data') }
    for (let number = 0; number < objects - 2; number++) {
      succeed(await admin.storage.from('documents').upload(`batch/${number}.txt`, `content ${number}`, { contentType: 'text/plain' }))
    }
  })
  after(() => rm(home, { recursive: true, force: true }))

  const begin = (...flags) => run(['import', '--project', home, '--from', database, ...flags], settings)
  /** Makes the folder of another project. */
  async function folder(name) {
    const path = join(home, name)
    await mkdir(join(path, 'supabase'), { recursive: true })
    await writeFile(join(path, 'supabase/config.toml'), `project_id = "${name}"\n`)
    return path
  }
  async function through(answered) {
    const way = await proxy(url, answered)
    return { ...way, importing: begin('--s3-endpoint', `${way.url}/storage/v1/s3`, '--s3-region', 'local') }
  }

  test('reads the schema from the catalogue', async () => {
    const path = await folder('catalogue')
    const importing = run(['import', '--project', path, '--from', database], { ...settings, PLAZA_DATA_DIR: join(path, 'data') })
    assert.equal(await importing.ended, 0, importing.output())
    assert.match(importing.output(), /the content of 14 objects was not moved/)
  })

  test('goes on after it was killed between tables', async () => {
    const holder = spawn('psql', ['--no-psqlrc', '--quiet', '--dbname', database])
    holder.stdin.write('begin; lock table private.audit in access exclusive mode; \\echo locked\n')
    await once(holder.stdout, 'data')
    const importing = begin('--schema-file', fileURLToPath(new URL('hosted/schema.sql', import.meta.url))) // the catalogue would wait for the lock
    await importing.shows('private.audit')
    importing.kill()
    await importing.ended
    holder.stdin.end()
    await once(holder, 'exit')
  })

  test('goes on after it was killed between objects', async () => {
    const way = await through(5)
    // Eight at once: five objects are done when eight more wait.
    await way.reached(13)
    way.importing.kill()
    await way.importing.ended
    way.close()
    assert.match(way.importing.output(), /Going on with the import/)
  })

  test('reports what differs, and moves only that again', async () => {
    const second = await through(objects)
    assert.equal(await second.importing.ended, 1, second.importing.output())
    assert.match(second.importing.output(), /differs: object avatars\/ana.png: the source has no content of it\n/)
    assert.equal(second.importing.output().match(/differs:/g).length, 1, second.importing.output())
    assert.ok(second.paths.length <= objects - 4, 'of five answers at most one had no content')
    second.close()
    succeed(await admin.storage.updateBucket('avatars', { public: true, allowedMimeTypes: null })) // the content is no picture
    succeed(await admin.storage.from('avatars').upload('ana.png', 'abc', { upsert: true, contentType: 'image/png' }))
    const third = await through(objects)
    assert.equal(await third.importing.ended, 0, third.importing.output())
    assert.deepEqual(third.paths, ['/storage/v1/s3/avatars/ana.png'])
    third.close()
    const again = begin()
    assert.equal(await again.ended, 1)
    assert.match(again.output(), /was imported from .* already/)
  })

  /** Serves the project of a folder and calls use with its address, keys and database. */
  async function serve(folder, use) {
    const [port, postgresPort] = [await freePort(), await freePort()]
    const address = `http://127.0.0.1:${port}`
    const data = join(folder, 'data')
    const server = plaza(['serve', '--project', folder], { ...settings, PLAZA_DATA_DIR: data, PLAZA_PORT: port, PLAZA_POSTGRES_PORT: postgresPort })
    try {
      await started(server, `${address}/ready`)
      const secrets = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8'))
      const newClient = () => createClient(address, secrets.keys.anon, { auth: { persistSession: false, autoRefreshToken: false } })
      await use({ address, newClient, database: `postgres://postgres:${secrets.postgres_password}@127.0.0.1:${postgresPort}/postgres` })
    } finally {
      await stopped(server)
    }
  }
  const plan = '11111111-1111-4111-8111-111111111111/plan 1.txt'
  const rowsOf = async (caller) => {
    const rows = []
    for (const table of ['notes', 'profiles', 'published_notes']) rows.push(succeed(await caller.from(table).select().order('id')))
    return rows
  }
  let rows
  before(async () => {
    rows = await rowsOf(ana)
  })

  test('the target works as the source did', () => serve(home, async ({ address, newClient }) => {
    const there = await signIn('ana', newClient())
    assert.deepEqual(await rowsOf(there), rows)
    assert.equal(await succeed(await there.storage.from('documents').download(plan)).text(), 'plan B')
    assert.equal((await there.storage.from('documents').download('batch/1.txt')).error.status, 400, 'the policies hold')
    succeed(await there.storage.from('documents').upload(plan, 'plan C', { upsert: true, contentType: 'text/plain' }))
    assert.equal(await (await fetch(`${address}/storage/v1/object/public/avatars/ana.png`)).text(), 'abc')
  }))

  test('an export restores by the recipe', async () => {
    const files = join(home, 'export')
    const exporting = run(['export', '--project', home, files], settings)
    assert.equal(await exporting.ended, 0, exporting.output())
    assert.equal(await readFile(join(files, 'objects/documents', plan), 'utf8'), 'plan C')
    assert.equal(await readFile(join(files, 'objects/documents/batch/7.txt'), 'utf8'), 'content 7')
    assert.doesNotMatch(await readFile(join(files, 'data.sql'), 'utf8'), /refused_tokens|"storage"."usage"|"strip_metadata"|"failures"/, 'tables and columns that hosted projects lack')
    const other = await folder('other')
    await serve(other, async ({ newClient, database }) => {
      const restore = (...args) => execFileSync('psql', ['--no-psqlrc', '--single-transaction', '--variable', 'ON_ERROR_STOP=1', ...args, '--dbname', database], { cwd: files, stdio: ['ignore', 'ignore', 'pipe'] })
      restore('--file', 'roles.sql', '--file', 'schema.sql', '--command', 'SET session_replication_role = replica', '--file', 'data.sql')
      const there = await signIn('ana', newClient())
      await eventually('the new schema', async () => (await there.from('notes').select('id')).data)
      assert.deepEqual(await rowsOf(there), rows)
      assert.deepEqual(succeed(await there.from('notes').insert({ title: 'Newer' }).select('id')), [{ id: 5 }])
      succeed(await there.storage.from('documents').upload(plan, 'plan D', { upsert: true, contentType: 'text/plain' }))
    })
  })
})
