// Measures what a first visit loads as script, per route, and fails above the budget.
// Reads the build's manifest: the entry, the route's chunk, and all they import.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

// As the server compresses (server/site).
const gzip = (/** @type {Buffer} */ bytes) => gzipSync(bytes, { level: 9 }).length

const budgetBytes = 150_000
const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))

/** @param {string} key @param {Set<string>} files */
function collect(key, files) {
  const chunk = manifest[key]
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) collect(imported, files)
}

const routes = Object.keys(manifest).filter((key) => key.startsWith('src/app/routes/'))
let worst = 0
for (const route of routes) {
  const files = new Set()
  collect('index.html', files)
  collect(route, files)
  let bytes = gzip(readFileSync(new URL('before-paint.js', dist)))
  for (const file of files) bytes += gzip(readFileSync(new URL(file, dist)))
  worst = Math.max(worst, bytes)
  process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(6)} KB  ${route}\n`)
}
if (worst > budgetBytes) {
  process.stderr.write(`A route loads more than ${budgetBytes / 1000} KB of script (gzip).\n`)
  process.exit(1)
}
