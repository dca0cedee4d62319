// Servers with their own settings, one after the other on one data folder: starting on an existing
// database is fast.
import { createServer } from 'node:http'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createRelay } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, plaza, started, stopped } from '../server.mjs'
import { at } from './account.mjs'

const project = fileURLToPath(new URL('project', import.meta.url))

/** A data folder, on which one server runs at a time. */
export async function home() {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-auth.'))
  await chmod(folder, 0o755) // PostgreSQL's own user must be able to enter
  const [port, postgresPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const inherited = Object.fromEntries(Object.keys(process.env).filter((name) => name.startsWith('GOTRUE_')).map((name) => [name, undefined]))
  const common = {
    ...inherited, PLAZA_PORT: port, PLAZA_POSTGRES_PORT: postgresPort, PLAZA_DATA_DIR: folder, SITE_URL: undefined,
    GOTRUE_SMTP_MAX_FREQUENCY: '0s', GOTRUE_SMS_MAX_FREQUENCY: '0s',
    GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_SMS_AUTOCONFIRM: 'false', // a folder enables these by default
  }
  let server

  const stop = async () => {
    if (server) await stopped(server)
    server = undefined
  }

  /** Stops the running server and starts one with other settings. */
  async function serve(settings = {}) {
    await stop()
    server = plaza(['serve', '--project', project], { ...common, ...settings })
    await started(server, `${url}/ready`)
    const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
    return { ...at({ url, key: secrets.keys.anon, serviceKey: secrets.keys.service_role }), log: server.log }
  }

  /** Kills the server, as a power loss does. */
  async function kill() {
    server.process.kill('SIGKILL')
    await server.ended
    server = undefined
  }

  /** Runs another command of the binary beside the server. */
  async function run(...args) {
    const command = plaza(args, common)
    const code = await command.ended
    if (code !== 0) throw new Error(command.log())
    return command.log()
  }

  async function remove() {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }

  return { serve, kill, run, remove }
}

/** A service that records its requests and responds with the JSON returned by `answer`. */
export async function service(answer) {
  const asked = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const question = { path: request.url, headers: request.headers, body }
    asked.push(question)
    const { json, status = 200 } = answer(question)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()
  return { url: `http://127.0.0.1:${server.address().port}`, asked }
}

/** A mail relay that accepts everything; `mails` are the received mails. */
export async function relay(port) {
  const mails = []
  const waiting = []
  const server = createRelay((socket) => {
    socket.setEncoding('utf8').on('error', () => {})
    let input = ''
    let letter = false
    const say = (line) => socket.write(`${line}\r\n`)
    say('220 relay')
    socket.on('data', (chunk) => {
      input += chunk
      for (let end; (end = input.indexOf(letter ? '\r\n.\r\n' : '\r\n')) >= 0; ) {
        const text = input.slice(0, end)
        input = input.slice(end + (letter ? 5 : 2))
        if (letter) {
          letter = false
          mails.push(text)
          waiting.splice(0).forEach((look) => look())
          say('250 taken')
          continue
        }
        const verb = text.slice(0, 4).toUpperCase()
        letter = verb === 'DATA'
        say({ EHLO: '250 relay', DATA: '354 go on', QUIT: '221 bye' }[verb] ?? '250 fine')
      }
    })
  })
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening))
  server.unref()

  /** The mails to an address, once there is one. */
  async function to(address) {
    for (;;) {
      const found = mails.filter((mail) => mail.includes(`To: <${address}>`))
      if (found.length > 0) return found
      await new Promise((look) => waiting.push(look))
    }
  }

  return { mails, to }
}
