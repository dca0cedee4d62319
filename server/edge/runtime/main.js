// Runs one function. It receives the server's requests on loopback and passes them to the
// handler that the function's module registers with Deno.serve, a default export, or the
// listeners of older standard libraries.
import { captureConsole } from './console.js'
import { redirectTemporaryFiles } from './files.js'
import { Background } from './background.js'
import { markAsMain } from './main_module.js'

const HOST = '127.0.0.1'
const { token, entry, hidden, readable, project } = JSON.parse(Deno.env.get('PLAZA_EDGE'))
for (const name of ['PLAZA_EDGE', ...hidden]) Deno.env.delete(name)

const realServe = Deno.serve
const realUpgrade = Deno.upgradeWebSocket
const realExit = Deno.exit
const originals = new WeakMap() // request that the function sees → original request
let handler
let port
let announced = false

// The server reads lines of a kind and a value that begin with the token. All other lines are
// output of the function.
const stdout = Deno.stdout
const writeSync = stdout.writeSync
const encoder = new TextEncoder()
function tell(kind, value) {
  let bytes = encoder.encode(`${token} ${kind} ${JSON.stringify(value)}\n`)
  while (bytes.length) bytes = bytes.subarray(writeSync.call(stdout, bytes))
}

captureConsole((level, text) => tell('log', { level, text }))
redirectTemporaryFiles(Deno.env.get('TMPDIR'), readable)
const background = new Background((isBusy) => tell('busy', isBusy))

function announce() {
  if (announced || !handler || !port) return
  announced = true
  tell('port', port)
}

function register(found) {
  handler ??= found
  announce()
}

// Only the server knows the token, so that other processes on this machine cannot bypass the
// server's authentication. The function does not see the token.
const guard = async (request, info) => {
  if (request.headers.get('x-plaza-edge') !== token) return new Response(null, { status: 403 })
  if (request.headers.has('x-plaza-probe')) return new Response(null, { status: 204 })
  const headers = new Headers(request.headers)
  headers.delete('x-plaza-edge')
  const forwarded = new Request(request, { headers })
  originals.set(forwarded, request)
  try {
    return await handler(forwarded, info)
  } catch (error) {
    console.error(error)
    return new Response('Internal Server Error', { status: 500 })
  }
}
realServe({ hostname: HOST, port: 0, onListen: (at) => { port = at.port; announce() } }, guard)

const address = (options) => ({ transport: 'tcp', hostname: options?.hostname ?? HOST, port: options?.port ?? 8000 })
const never = new Promise(() => {})

Deno.upgradeWebSocket = (request, options) => realUpgrade(originals.get(request) ?? request, options)

Deno.serve = (first, second) => {
  const options = typeof first === 'function' ? {} : first
  const found = typeof first === 'function' ? first : (second ?? options.handler)
  const wrapped = options.onError
    ? async (request, info) => {
        try {
          return await found(request, info)
        } catch (error) {
          return await options.onError(error)
        }
      }
    : found
  register(wrapped)
  options.onListen?.(address(options))
  return { addr: address(options), finished: never, ref() {}, unref() {}, shutdown: async () => {}, [Symbol.asyncDispose]: async () => {} }
}

// The API that std/http before 0.200 uses: one listener with one connection, which
// delivers all requests.
const queue = []
const receivers = []
function deliver(event) {
  const next = receivers.shift()
  next ? next(event) : queue.push(event)
}
async function* events(next) {
  for (let event = await next(); event; event = await next()) yield event
}
Deno.listen = (options) => {
  let accepted = false
  const accept = () => {
    if (accepted) return never
    accepted = true
    return Promise.resolve({ localAddr: address(options), remoteAddr: address(), close() {} })
  }
  return { addr: address(options), rid: 0, accept, close() {}, [Symbol.asyncIterator]: () => events(accept) }
}
Deno.serveHttp = () => {
  register((request) => new Promise((answer, fail) => {
    deliver({ request, respondWith: async (response) => { try { answer(await response) } catch (error) { fail(error) } } })
  }))
  const nextRequest = () => queue.length ? Promise.resolve(queue.shift()) : new Promise((done) => receivers.push(done))
  return { rid: 0, nextRequest, close() {}, [Symbol.asyncIterator]: () => events(nextRequest) }
}

// Of its own API, Supabase's runtime offers functions only this.
Object.defineProperty(globalThis, 'EdgeRuntime', { value: { waitUntil: (work) => background.add(work) }, configurable: true })

// The server ends the process by a message on stdin. If stdin is closed without one, the server has died.
const readStop = async () => {
  let text = ''
  for await (const part of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) text += part
  if (text) {
    const { reason, within } = JSON.parse(text)
    await background.finish(reason, within)
  }
  realExit(0)
}
readStop()

let module
try {
  if (Deno.readTextFileSync(new URL(entry)).includes('import.meta.main')) markAsMain(entry)
  module = await import(entry)
} catch (error) {
  console.error(error)
  if (/^Requires read access to/.test(error?.message)) {
    console.error(`A function can import the files of ${project} by their literal names, and read the files of functions/ and its static_files.`)
  }
  realExit(1)
}
const found = module.default
if (!handler && typeof found === 'function') register(found)
if (!handler && typeof found?.fetch === 'function') register((request, info) => found.fetch(request, info))
if (!handler) {
  const late = 5000 // ms: a module may begin to serve after it has loaded
  setTimeout(() => {
    if (handler) return
    console.error('the function neither calls Deno.serve nor exports a handler by default')
    realExit(1)
  }, late)
}
