// Stands in for the hosts of modules that functions import, where they cannot be reached: an HTTPS
// proxy that answers for esm.sh (by the same package of npm), deno.land (two functions of std) and
// JSR (the types of functions, which are empty at run time), and passes other connections on.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTLSServer } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const hosts = ['esm.sh', 'deno.land', 'modules.invalid']

/** Starts the proxy; returns the variables that make deno use it, and how to stop it. */
export async function standInForModules() {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-modules.'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=modules', '-keyout', key, '-out', cert,
    '-addext', 'basicConstraints=critical,CA:FALSE', '-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`], { stdio: 'ignore' })
  const modules = createTLSServer({ key: await readFile(key), cert: await readFile(cert) }, (request, response) => {
    const text = moduleOf(request.headers.host, request.url)
    response.writeHead(text === null ? 404 : 200, { 'content-type': request.url.endsWith('.json') ? 'application/json' : 'application/javascript' })
    response.end(text ?? '')
  })
  const proxy = createServer((_, response) => response.writeHead(405).end())
  proxy.on('connect', (request, socket) => {
    const [host, port] = request.url.split(':')
    const target = hosts.includes(host) ? connect(modules.address().port, '127.0.0.1') : connect(Number(port), host)
    target.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [socket, target]) {
      end.on('error', () => {
        socket.destroy()
        target.destroy()
      })
    }
  })
  await Promise.all([modules, proxy].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  return {
    settings: { HTTPS_PROXY: `http://127.0.0.1:${proxy.address().port}`, DENO_CERT: cert, JSR_URL: 'https://modules.invalid/', NO_PROXY: '127.0.0.1,localhost' },
    async stop() {
      for (const server of [modules, proxy]) {
        server.close()
        server.closeAllConnections()
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const types = '// types alone\nexport {}\n'
const version = '2.4.5'
const asText = (value) => JSON.stringify(value)

/** The text of a module, or null where we have none. */
function moduleOf(host, address) {
  const { pathname } = new URL(address, 'https://modules.invalid')
  if (host === 'esm.sh') {
    const name = pathname.slice(1).replace(/^(v\d+|stable)\//, '')
    return `import * as all from 'npm:${name}'\nexport * from 'npm:${name}'\nexport default all.default\n`
  }
  if (host === 'deno.land') {
    if (/^\/std(@[\d.]+)?\/http\/server\.ts$/.test(pathname)) return 'export const serve = (handler, options = {}) => Deno.serve(options, handler).finished\n'
    if (/^\/std(@[\d.]+)?\/testing\/asserts\.ts$/.test(pathname)) return 'export function assert(value, message = "") {\n  if (!value) throw new Error(message)\n}\n'
    return pathname.startsWith('/x/xhr@') ? types : null // XMLHttpRequest, which nothing calls in deno
  }
  switch (pathname.replace('/@supabase/functions-js/', '')) {
    case 'meta.json':
      return asText({ scope: 'supabase', name: 'functions-js', latest: version, versions: { [version]: {} } })
    case `${version}_meta.json`:
      return asText({
        manifest: { '/edge-runtime.d.ts': { size: types.length, checksum: `sha256-${createHash('sha256').update(types).digest('hex')}` } },
        exports: { './edge-runtime.d.ts': './edge-runtime.d.ts', '.': './edge-runtime.d.ts' },
      })
    case `${version}/edge-runtime.d.ts`:
      return types
    default:
      return null
  }
}
