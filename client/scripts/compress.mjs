// Compresses the built files, once and with the best compression, next to each file: the server
// sends the smallest format that a browser accepts (server/site).
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { minifySync } from 'vite'

const dist = new URL('../dist/', import.meta.url)

// Copied as written: it is not a module, so that Vite does not process it.
const early = new URL('before-paint.js', dist)
const minified = minifySync('before-paint.js', readFileSync(early, 'utf8'), { module: false })
writeFileSync(early, minified.code)

// The page names the entry's files by their hashes, so its own hash is the build's.
const worker = new URL('sw.js', dist)
const build = createHash('sha256')
  .update(readFileSync(new URL('index.html', dist)))
  .update(readFileSync(new URL('offline.html', dist)))
  .digest('hex')
writeFileSync(worker, readFileSync(worker, 'utf8').replace('__BUILD__', build.slice(0, 12)))

const worthIt = /\.(m?js|css|svg|json|mvt|html|webmanifest)$/
const smallest = 128

const forms = {
  br: (/** @type {Buffer} */ bytes) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (/** @type {Buffer} */ bytes) => gzipSync(bytes, { level: 9 }),
  zst: (/** @type {Buffer} */ bytes) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
}

for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
  if (!entry.isFile() || entry.parentPath.includes('.vite') || !worthIt.test(entry.name)) continue
  const path = `${entry.parentPath}/${entry.name}`
  const bytes = readFileSync(path)
  if (bytes.length < smallest) continue
  for (const [ending, compress] of Object.entries(forms)) {
    const packed = compress(bytes)
    if (packed.length < bytes.length) writeFileSync(`${path}.${ending}`, packed)
  }
}
