// Measures the script size of a first visit, per route, and fails above the budget. Reads the
// build's manifest: the entry, the route's chunk, and all their imports. Counts bytes as a browser
// downloads them, in brotli (scripts/compress.mjs, server/site).
import { existsSync, readFileSync, statSync } from 'node:fs'

const budgetBytes = 95_000
const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))

/** @param {string} file */
function sent(file) {
  const packed = new URL(`${file}.br`, dist)
  return statSync(existsSync(packed) ? packed : new URL(file, dist)).size
}

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
  let bytes = sent('before-paint.js')
  for (const file of files) bytes += sent(file)
  worst = Math.max(worst, bytes)
  process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(6)} KB  ${route}\n`)
}
if (worst > budgetBytes) {
  process.stderr.write(`A route loads more than ${budgetBytes / 1000} KB of script (brotli).\n`)
  process.exit(1)
}
