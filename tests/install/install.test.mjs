// From an empty folder to the first row through supabase-js with npx, from a registry on this machine
// that passes other packages through from npm's. It uses bin/plaza as this platform's binary.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { freePort, started } from '../conformance/server.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const version = '1.2.3'
const target = `${process.platform}/${{ x64: 'amd64' }[process.arch] ?? process.arch}`
const platform = `${process.platform}-${process.arch}`

const work = await mkdtemp(join(tmpdir(), 'plaza-install.'))
await chmod(work, 0o755) // PostgreSQL's own user must be able to enter
const project = join(work, 'project')
const running = []
let env

/** Starts a process in the project's folder and captures its output. */
function start(command, args, settings) {
  const child = spawn(command, args, {
    cwd: project,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  // When all processes that it started have ended, too.
  const ended = new Promise((done) => child.on('close', done))
  running.push({ child, ended })
  return { process: child, ended, log: () => said }
}

async function publish(folder) {
  await run('npm', ['publish', '--no-audit', '--tag', 'latest'], { cwd: folder, env })
}

before(async () => {
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
  const port = await freePort()
  const registry = `http://127.0.0.1:${port}`
  const rules = { access: '$all', publish: '$all' }
  await mkdir(project)
  await mkdir(join(work, 'home'))
  await writeFile(
    join(work, 'home', '.npmrc'),
    `registry=${registry}/\n//127.0.0.1:${port}/:_authToken=anybody\n`,
  )
  await writeFile(
    join(work, 'verdaccio.json'),
    JSON.stringify({
      storage: join(work, 'storage'),
      max_body_size: '500mb',
      uplinks: { upstream: { url: upstream } },
      web: { enable: false },
      packages: {
        '@plaza-server/*': rules,
        'plaza-server': rules,
        '**': { ...rules, proxy: 'upstream' },
      },
      log: { type: 'stdout', format: 'pretty', level: 'error' },
    }),
  )
  env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|PLAZA_)/i.test(name)),
  )
  Object.assign(env, {
    HOME: join(work, 'home'),
    XDG_CACHE_HOME: join(work, 'cache'),
    npm_config_update_notifier: 'false',
  })
  const server = start(process.execPath, [
    join(root, 'tests/node_modules/verdaccio/bin/verdaccio'),
    '--config',
    join(work, 'verdaccio.json'),
    '--listen',
    `127.0.0.1:${port}`,
  ])
  await started(server, `${registry}/-/ping`)
  await run('node', [
    join(root, 'packaging/npm/build.mjs'),
    '--version',
    `v${version}`,
    '--out',
    join(work, 'npm'),
    `${target}=${join(root, 'bin/plaza')}`,
  ])
  await publish(join(work, 'npm', platform))
  await publish(join(work, 'npm/plaza-server'))
})

after(async () => {
  for (const { child, ended } of running.reverse()) {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid)
    await ended
  }
  await rm(work, { recursive: true, force: true })
})

/** Serves the project and returns its rows, with the seconds until they were there. */
async function firstRow() {
  const [port, postgres] = [await freePort(), await freePort()]
  const began = performance.now()
  const server = start('npx', ['--yes', 'plaza-server', 'start'], {
    PLAZA_PORT: port,
    PLAZA_POSTGRES_PORT: postgres,
  })
  const url = `http://127.0.0.1:${port}`
  await started(server, `${url}/ready`)
  const { keys } = JSON.parse(await readFile(join(project, 'supabase/.plaza/secrets.json'), 'utf8'))
  const { data, error } = await createClient(url, keys.anon).from('notes').select('id, text')
  const seconds = (performance.now() - began) / 1000
  assert.equal(error, null)
  process.kill(-server.process.pid, 'SIGINT') // as a terminal does
  await server.ended
  assert.match(server.log(), /Stopping…\s*$/)
  return { data, seconds, log: server.log() }
}

test('from an empty folder to the first row', async (t) => {
  const began = performance.now()
  await run('npx', ['--yes', 'plaza-server', 'init'], { cwd: project, env })
  await writeFile(
    join(project, 'supabase/migrations/20260101000000_notes.sql'),
    `create table notes (id int primary key, text text not null);
alter table notes enable row level security;
create policy all_read on notes for select to anon using (true);
grant select on notes to anon;
insert into notes values (1, 'first');`,
  )
  const prepared = (performance.now() - began) / 1000
  const first = await firstRow()
  assert.deepEqual(first.data, [{ id: 1, text: 'first' }])
  t.diagnostic(`packages: ${prepared.toFixed(1)} s, first start: ${first.seconds.toFixed(1)} s`)
  // PostgreSQL came with the packages.
  assert.doesNotMatch(first.log, /Downloading/)

  const again = await firstRow()
  assert.deepEqual(again.data, [{ id: 1, text: 'first' }])
  t.diagnostic(`second start: ${again.seconds.toFixed(1)} s`)
})

test('the version is that of the package, and another package is missed by name', async () => {
  const launcher = join(work, 'npm/plaza-server/bin/plaza.cjs')
  const { stdout } = await run('npm', ['view', 'plaza-server', 'version'], { env, cwd: project })
  assert.equal(stdout.trim(), version)
  await assert.rejects(run('node', [launcher, 'version']), ({ code, stderr }) => {
    assert.match(stderr, new RegExp(`the package @plaza-server/${platform} is not installed`))
    return code === 1
  })
})
