// Serves a project folder on a new database and runs a command with it:
//
//   node with-project.mjs FOLDER COMMAND…
//
// The command's environment contains the server's URL (SUPABASE_URL), its keys, the secret that
// signs tokens (JWT_SECRET) and the database's URL (DATABASE_URL). We exit with its exit code.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { freePort, plaza, started, stopped } from './server.mjs'

const [folder, ...command] = process.argv.slice(2)
const data = await mkdtemp(join(tmpdir(), 'plaza-project.'))
await chmod(data, 0o755) // PostgreSQL's own user must be able to enter
const [port, postgresPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`

const server = plaza(['serve', '--project', resolve(folder)], {
  PLAZA_PORT: port, PLAZA_POSTGRES_PORT: postgresPort, PLAZA_DATA_DIR: data, GOTRUE_SMTP_MAX_FREQUENCY: '0s',
})
let code = 1
try {
  await started(server, `${url}/ready`)
  const secrets = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8'))
  const child = spawn(command[0], command.slice(1), {
    stdio: 'inherit',
    env: {
      ...process.env,
      SUPABASE_URL: url,
      SUPABASE_ANON_KEY: secrets.keys.anon,
      SUPABASE_SERVICE_ROLE_KEY: secrets.keys.service_role,
      JWT_SECRET: secrets.jwt_secret,
      DATABASE_URL: `postgres://postgres:${secrets.postgres_password}@127.0.0.1:${postgresPort}/postgres`,
      PLAZA_LOG: server.log(),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  code = await new Promise((done) => child.on('exit', (exit) => done(exit ?? 1)))
} finally {
  await stopped(server)
  await rm(data, { recursive: true, force: true })
}
process.exitCode = code
