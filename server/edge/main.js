// Runs one function: it takes the server's requests on loopback and gives them
// to the handler that the function's module registers, in whichever way it does:
// Deno.serve, a default export, or the listeners of older standard libraries.
const HOST = '127.0.0.1'
const { token, entry, hidden } = JSON.parse(Deno.env.get('PLAZA_EDGE'))
for (const name of ['PLAZA_EDGE', ...hidden]) Deno.env.delete(name)

const realServe = Deno.serve
const realUpgrade = Deno.upgradeWebSocket
const originals = new WeakMap() // by the request that the function sees
let handler
let port
let announced = false

// The server reads this line; all others are the function's own.
function announce() {
  if (announced || !handler || !port) return
  announced = true
  Deno.stdout.writeSync(new TextEncoder().encode(`${token} ${port}\n`))
}

function register(found) {
  handler ??= found
  announce()
}

// Only the server knows the token, so that nobody else on this machine gets past
// its check of tokens. The function does not see it.
const guard = async (request, info) => {
  if (request.headers.get('x-plaza-edge') !== token) return new Response(null, { status: 403 })
  if (request.headers.has('x-plaza-probe')) return new Response(null, { status: 204 })
  const headers = new Headers(request.headers)
  headers.delete('x-plaza-edge')
  const given = new Request(request, { headers })
  originals.set(given, request)
  return await handler(given, info)
}
realServe({ hostname: HOST, port: 0, onListen: (at) => { port = at.port; announce() } }, guard)

const address = (options) => ({ transport: 'tcp', hostname: options?.hostname ?? HOST, port: options?.port ?? 8000 })
const never = new Promise(() => {})

Deno.upgradeWebSocket = (request, options) => realUpgrade(originals.get(request) ?? request, options)

Deno.serve = (first, second) => {
  const options = typeof first === 'function' ? {} : first
  const found = typeof first === 'function' ? first : (second ?? options.handler)
  const answer = options.onError
    ? async (request, info) => {
        try {
          return await found(request, info)
        } catch (error) {
          return await options.onError(error)
        }
      }
    : found
  register(answer)
  options.onListen?.(address(options))
  return { addr: address(options), finished: never, ref() {}, unref() {}, shutdown: async () => {}, [Symbol.asyncDispose]: async () => {} }
}

// What std/http before 0.200 builds on: one listener with one connection, which
// brings all requests.
const waiting = []
const wanted = []
function bring(event) {
  const next = wanted.shift()
  next ? next(event) : waiting.push(event)
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
    bring({ request, respondWith: async (response) => { try { answer(await response) } catch (error) { fail(error) } } })
  }))
  const nextRequest = () => waiting.length ? Promise.resolve(waiting.shift()) : new Promise((done) => wanted.push(done))
  return { rid: 0, nextRequest, close() {}, [Symbol.asyncIterator]: () => events(nextRequest) }
}

// Work that goes on after the answer; this process lives on anyway.
globalThis.EdgeRuntime = { waitUntil: (work) => { Promise.resolve(work).catch((error) => console.error(error)); return work } }

// The server's end closes our input, however it came about.
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
