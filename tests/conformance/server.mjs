// Starts and stops the binary, for suites that need a separate server.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Ports below those of outgoing connections, one of which could take a port after it was picked. Each process begins at
// another one, so that two of them do not pick the same port before a server listens.
const ports = { first: 10_000, count: 22_768 }
let picked = process.pid * 211

/** A port at which nothing listens on 127.0.0.1, each time another one. */
export async function freePort() {
  for (let tried = 0; tried < ports.count; tried++) {
    const port = ports.first + (++picked % ports.count)
    const free = await new Promise((done) => {
      const listener = createServer().once('error', () => done(false)).listen(port, '127.0.0.1', () => listener.close(() => done(true)))
    })
    if (free) return port
  }
  throw new Error('no free port')
}

// However this process ends, its servers are stopped.
const running = []
process.once('exit', () => running.forEach((server) => server.kill()))

/** Runs the binary with its own settings and captures its output. */
export function plaza(args, settings) {
  const server = spawn(process.env.PLAZA_BINARY ?? `${root}/bin/plaza`, args, {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = new Promise((done) => server.on('exit', (code) => done(code)))
  running.push(server)
  return { process: server, ended, log: () => said }
}

/**
 * Waits until a URL responds with anything but 503; a server that exited is an error that contains
 * its output.
 */
export async function started(server, address) {
  for (;;) {
    const ended = await Promise.race([server.ended, new Promise((next) => setTimeout(next, 50, 'running'))])
    if (ended !== 'running') throw new Error(`the server ended with ${ended}:\n${server.log()}`)
    const answer = await fetch(address).catch(() => null)
    if (answer && answer.status !== 503) return
  }
}

export async function stopped(server) {
  server.process.kill('SIGTERM')
  return server.ended
}
