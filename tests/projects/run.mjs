// Serves public Supabase projects, one after the other, and compares what happens with projects.json:
//
//   PROJECTS=FOLDER node projects/run.mjs [NAME…]
//
// FOLDER has a clone of each, as OWNER+NAME/repo (bare or not); README.md here tells how to make
// them. A project is taken out at its commit, started on a new data folder with its settings
// unchanged, every exposed table is read, a user signs up and signs in, a file is uploaded and
// downloaded, and each function is called. We exit with 1 if a result differs from the expected one.
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { freePort, plaza, started, stopped } from '../conformance/server.mjs'
import { standInForModules } from './modules.mjs'

const run = promisify(execFile)
const clones = process.env.PROJECTS
if (!clones) throw new Error('set PROJECTS to the folder of the clones (see tests/projects/README.md)')
const projects = JSON.parse(await readFile(new URL('projects.json', import.meta.url), 'utf8'))
const names = process.argv.slice(2)

const modules = await standInForModules()
let differing = 0
for (const project of projects) {
  if (names.length > 0 && !names.some((name) => project.repository.includes(name))) continue
  if (project.needs && !process.env.POSTGRES_BIN) {
    console.log(`left out     ${project.repository} ${project.folder}: set POSTGRES_BIN to the programs of a PostgreSQL that has ${project.needs}`)
    continue
  }
  const found = await serve(project)
  const isExpected = isDeepStrictEqual(found, project.expected)
  if (!isExpected) differing += 1
  console.log(`${isExpected ? 'as expected' : 'DIFFERENT  '}  ${project.repository} ${project.folder}\n             ${JSON.stringify(found)}`)
  if (!isExpected) console.log(`   expected  ${JSON.stringify(project.expected)}`)
}
await modules.stop()
process.exitCode = differing > 0 ? 1 : 0

/** Serves a project of the list and returns what its entry calls `expected`. */
async function serve({ repository, commit, folder, needs, metadata, environment }) {
  const root = await mkdtemp(join(tmpdir(), 'plaza-public.'))
  await chmod(root, 0o755) // PostgreSQL's own user must be able to enter
  const [port, postgresPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  let server
  try {
    const source = await checkOut(join(clones, repository.replace('/', '+'), 'repo'), commit, folder, join(root, 'source'))
    if (environment) await writeFile(join(source, 'supabase/functions/.env'), Object.entries(environment).map(([name, value]) => `${name}=${value}\n`).join(''))
    server = plaza(['serve', '--project', source], {
      PLAZA_PORT: port, PLAZA_POSTGRES_PORT: postgresPort, PLAZA_DATA_DIR: join(root, 'data'), GOTRUE_SMTP_MAX_FREQUENCY: '0s', PLAZA_LOG_LEVEL: 'warn', ...modules.settings,
      ...(needs && { PLAZA_POSTGRES_BIN: process.env.POSTGRES_BIN }),
    })
    try {
      await started(server, `${url}/ready`)
    } catch {
      return { stops: reason(server.log(), source) }
    }
    const { keys } = JSON.parse(await readFile(join(root, 'data/secrets.json'), 'utf8'))
    return {
      tables: await readTables(url, keys.service_role),
      user: await makeUser(url, keys, metadata),
      file: await keepFile(url, keys.service_role),
      functions: await callFunctions(url, keys.anon, source),
    }
  } finally {
    if (server) await stopped(server)
    await rm(root, { recursive: true, force: true })
  }
}

async function checkOut(clone, commit, folder, target) {
  await mkdir(target)
  const archive = join(target, '../source.tar')
  await run('git', ['-C', clone, 'archive', '--output', archive, commit, join(folder, 'supabase')])
  await run('tar', ['-xf', archive, '-C', target])
  await rm(archive)
  await chmod(target, 0o755)
  return join(target, folder)
}

/** What ended the server: the last line with an error, without this run's folder. */
function reason(log, source) {
  const lines = log.trim().split('\n').filter((line) => /error|cannot|failed|invalid/i.test(line))
  return (lines.at(-1) ?? log.trim().split('\n').at(-1) ?? '').replaceAll(`${source}/`, '').replace(/^.*?plaza: /, '')
}

/** How many tables and views were read, and what each of the others answered. */
async function readTables(url, key) {
  const headers = { apikey: key, authorization: `Bearer ${key}` }
  const refused = {}
  let read = 0
  for (const schema of await exposedSchemas(url, headers)) {
    const answer = await fetch(`${url}/rest/v1/`, { headers: { ...headers, 'accept-profile': schema } })
    const { paths = {} } = await answer.json()
    for (const path of Object.keys(paths)) {
      if (path === '/' || path.startsWith('/rpc/')) continue
      const rows = await fetch(`${url}/rest/v1${path}?limit=1`, { headers: { ...headers, 'accept-profile': schema } })
      if (rows.ok) read += 1
      else refused[`${schema}${path}`] = (await rows.json()).message
    }
  }
  return Object.keys(refused).length > 0 ? { read, refused } : { read }
}

/** The exposed schemas, which the data API names to whoever asks for one that is not. */
async function exposedSchemas(url, headers) {
  const answer = await fetch(`${url}/rest/v1/none`, { headers: { ...headers, 'accept-profile': 'none of them' } })
  const { hint, message } = await answer.json()
  const list = /exposed: (.*)$/.exec(`${hint ?? ''}\n${message}`.split('\n').find((line) => line.includes('exposed: ')) ?? '')
  if (!list) throw new Error(`the data API does not name its schemas: ${message}`)
  return list[1].split(', ')
}

/** A user is made by an admin, with the metadata that the project's own client sends, and signs in. */
async function makeUser(url, keys, metadata) {
  const admin = createClient(url, keys.service_role, { auth: { persistSession: false } })
  const account = { email: 'somebody@example.com', password: 'Long enough, 1 and more' }
  const made = await admin.auth.admin.createUser({ ...account, email_confirm: true, user_metadata: metadata })
  if (made.error) return made.error.message
  const { error } = await createClient(url, keys.anon, { auth: { persistSession: false } }).auth.signInWithPassword(account)
  return error ? error.message : 'signed in'
}

async function keepFile(url, key) {
  const { storage } = createClient(url, key, { auth: { persistSession: false } })
  const made = await storage.createBucket('bucket-of-a-test')
  if (made.error) return made.error.message
  const kept = await storage.from('bucket-of-a-test').upload('a/file.txt', 'its bytes', { contentType: 'text/plain' })
  if (kept.error) return kept.error.message
  const { data, error } = await storage.from('bucket-of-a-test').download('a/file.txt')
  return error ? error.message : (await data.text()) === 'its bytes' ? 'downloaded' : 'has other bytes'
}

/** The status that each function answers with, or our code where it does not start. */
async function callFunctions(url, key, source) {
  const answers = {}
  const folders = await readdir(join(source, 'supabase/functions'), { withFileTypes: true }).catch(() => [])
  for (const { name } of folders.filter((entry) => entry.isDirectory() && !/^[_.]/.test(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const answer = await fetch(`${url}/functions/v1/${name}`, {
      method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: '{}',
    })
    const { code } = await answer.json().catch(() => ({}))
    answers[name] = answer.headers.has('sb-error-code') || answer.status === 503 ? `${answer.status} ${code}` : answer.status
  }
  return answers
}
