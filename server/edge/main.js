// Runs one function. It receives the server's requests on loopback and passes them to the
// handler that the function's module registers with Deno.serve, a default export, or the
// listeners of older standard libraries.
const HOST = '127.0.0.1'
const { token, entry, hidden } = JSON.parse(Deno.env.get('PLAZA_EDGE'))
for (const name of ['PLAZA_EDGE', ...hidden]) Deno.env.delete(name)

const realServe = Deno.serve
const realUpgrade = Deno.upgradeWebSocket
const originals = new WeakMap() // request that the function sees → original request
let handler
let port
let announced = false

// The server parses this line; all other lines are output of the function.
function announce() {
  if (announced || !handler || !port) return
  announced = true
  Deno.stdout.writeSync(new TextEncoder().encode(`${token} ${port}\n`))
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
  return await handler(forwarded, info)
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

// Work that continues after the response. The process keeps running anyway.
globalThis.EdgeRuntime = { waitUntil: (work) => { Promise.resolve(work).catch((error) => console.error(error)); return work } }

// When the server ends for any reason, stdin is closed.
const input = Deno.stdin.readable.getReader()
const watch = async () => {
  while (!(await input.read()).done);
  Deno.exit(0)
}
watch()

const module = await import(entry)
const found = module.default
if (!handler && typeof found === 'function') register(found)
if (!handler && typeof found?.fetch === 'function') register((request, info) => found.fetch(request, info))
if (!handler) {
  const late = 5000 // ms: a module may begin to serve after it has loaded
  setTimeout(() => {
    if (handler) return
    console.error('the function neither calls Deno.serve nor exports a handler by default')
    Deno.exit(1)
  }, late)
}
