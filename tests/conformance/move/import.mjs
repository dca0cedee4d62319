// Running `plaza import` and what is in its way.
import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs the binary. shows(text) waits until its output has a text. */
export function run(args, settings) {
  const child = spawn(process.env.PLAZA_BINARY ?? `${root}/bin/plaza`, args, { cwd: root, env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const waiting = new Set()
  const ended = new Promise((done) => child.on('close', done))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
      for (const look of waiting) look()
    })
  }
  const shows = (text) => new Promise((done, fail) => {
    const look = () => said.includes(text) && done()
    waiting.add(look)
    look()
    ended.then(() => fail(new Error(`it ended without ${text}:\n${said}`)))
  })
  return { output: () => said, ended, shows, kill: () => child.kill('SIGKILL') }
}

/**
 * A proxy of a server that answers a number of requests and lets all others wait. reached(n) waits until there
 * were n requests.
 */
export async function proxy(target, answered) {
  const paths = []
  let look = () => {}
  const reached = (count) => new Promise((done) => {
    look = () => paths.length >= count && done()
    look()
  })
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url)
    look()
    if (paths.length > answered) return
    const forwarded = request(target + incoming.url, { method: incoming.method, headers: incoming.headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}`, paths, reached, close: () => { server.closeAllConnections(); server.close() } }
}
