// Contract: Resumable uploads, with tus-js-client as its users use it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { Upload } from 'tus-js-client'
import { freePort, plaza, started } from '../server.mjs'
import { admin, ask, base, newKey, newUser, put, serviceKey, succeed, userToken } from './kit.mjs'

const endpoint = `${base}/upload/resumable`

/** A client's upload options; steps are the requests it made. */
function wish(key, own = {}) {
  const steps = []
  return {
    endpoint,
    retryDelays: null,
    headers: { authorization: `Bearer ${serviceKey}`, ...own.headers },
    metadata: { bucketName: 'open', objectName: key, contentType: 'text/plain', cacheControl: '60', ...own.metadata },
    onAfterResponse: (request, answer) => steps.push(`${request.getMethod()} ${answer.getStatus()} ${answer.getHeader('Upload-Offset') ?? '-'}`),
    steps,
    ...own.options,
  }
}

/** Runs an upload to its end; `at` is called with its progress, and may abort it. */
function run(content, wanted, at = () => {}) {
  return new Promise((done, failed) => {
    const upload = new Upload(content, {
      ...wanted,
      onSuccess: () => done(upload),
      onError: failed,
      onChunkComplete: (_, sent) => at(sent, upload, done),
    })
    upload.start()
  })
}

const stored = async (key, at = base) => {
  const answer = await fetch(`${at}/object/authenticated/open/${key}`, { headers: { authorization: `Bearer ${serviceKey}` } })
  assert.equal(answer.status, 200, await answer.clone().text())
  return Buffer.from(await answer.arrayBuffer())
}

test('an upload comes in pieces', async () => {
  const key = newKey()
  const content = randomBytes(1_000_000)
  const wanted = wish(key, { options: { chunkSize: 400_000 }, metadata: { metadata: JSON.stringify({ a: 'b' }) } })
  await run(content, wanted)
  assert.deepEqual(wanted.steps, ['POST 201 -', 'PATCH 204 400000', 'PATCH 204 800000', 'PATCH 204 1000000'])
  assert.deepEqual(await stored(key), content)
  const info = succeed(await admin.from('open').info(key))
  assert.deepEqual([info.size, info.contentType, info.cacheControl, info.metadata], [1_000_000, 'text/plain', 'max-age=60', { a: 'b' }])
})

test('bytes may come with the creation', async () => {
  const key = newKey()
  const wanted = wish(key, { options: { uploadDataDuringCreation: true } })
  await run(Buffer.from('hello'), wanted)
  assert.deepEqual(wanted.steps, ['POST 201 5'])
  assert.equal((await stored(key)).toString(), 'hello')
})

test('an empty object', async () => {
  const key = newKey()
  await run(Buffer.alloc(0), wish(key))
  assert.equal((await stored(key)).length, 0)
})

test('an upload is paused, and resumed by another client', async () => {
  const key = newKey()
  const content = randomBytes(1_000_000)
  const paused = await run(content, wish(key, { options: { chunkSize: 300_000 } }), (sent, upload, done) => {
    if (sent === 600_000) upload.abort().then(() => done(upload))
  })
  const resumed = wish(key, { options: { chunkSize: 300_000, uploadUrl: paused.url } })
  await run(content, resumed)
  assert.deepEqual(resumed.steps, ['HEAD 200 600000', 'PATCH 204 900000', 'PATCH 204 1000000'])
  assert.deepEqual(await stored(key), content)
  const again = wish(key, { options: { uploadUrl: paused.url } })
  await run(content, again)
  assert.deepEqual(again.steps, ['HEAD 200 1000000'])
})

test('a request that broke off is gone on with', async () => {
  const key = newKey()
  const content = randomBytes(4_000_000)
  const created = wish(key, { options: { chunkSize: 1_000_000 } })
  const { url: at } = await run(content, created, (_, upload, done) => upload.abort().then(() => done(upload)))
  const offset = created.steps.filter((step) => step.startsWith('PATCH')).length * 1_000_000
  const half = request(at, {
    method: 'PATCH',
    headers: {
      ...created.headers, 'tus-resumable': '1.0.0', 'upload-offset': offset, 'content-type': 'application/offset+octet-stream',
      'content-length': content.length - offset,
    },
  })
  half.on('error', () => {}) // this side aborts it
  await new Promise((sent) => half.write(content.subarray(offset, offset + 2_000_000), sent))
  half.destroy()
  await new Promise((closed) => half.on('close', closed))
  // The server may process the half only now: then an offset is no longer correct.
  await run(content, wish(key, { options: { uploadUrl: at, retryDelays: Array(20).fill(100) } }))
  assert.deepEqual(await stored(key), content)
})

test('an upload is ended', async () => {
  const key = newKey()
  const upload = await run(randomBytes(100_000), wish(key, { options: { chunkSize: 50_000 } }), (_, going, done) => {
    going.abort(true).then(() => done(going))
  })
  const answer = await fetch(upload.url, { method: 'HEAD', headers: { authorization: `Bearer ${serviceKey}`, 'tus-resumable': '1.0.0' } })
  assert.equal(answer.status, 404)
  assert.equal((await ask('GET', `/object/open/${key}`)).status, 400)
})

test('policies decide, and x-upsert is asked for', async () => {
  const user = newUser()
  const headers = { authorization: `Bearer ${userToken(user)}` }
  const refused = async (wanted, status, text) => {
    const error = await run(Buffer.from('x'), wanted).then(() => assert.fail('it was not refused'), (reason) => reason)
    assert.equal(error.originalResponse.getStatus(), status)
    assert.equal(error.originalResponse.getBody().trim(), text)
  }
  await run(Buffer.from('mine'), wish(`${user}/a`, { headers }))
  await refused(wish(`${newUser()}/a`, { headers }), 403, 'new row violates row-level security policy')
  const key = newKey()
  await put(key)
  await refused(wish(key), 409, 'The resource already exists')
  await run(Buffer.from('new'), wish(key, { headers: { 'x-upsert': 'true' } }))
  assert.equal((await stored(key)).toString(), 'new')
  await refused(wish(key, { metadata: { bucketName: 'gone' } }), 404, 'Bucket not found')
  await refused(wish(newKey('png'), { metadata: { bucketName: 'photos', contentType: 'text/plain' } }), 415, 'mime type text/plain is not supported')
})

test('a signature replaces a token', async () => {
  const key = newKey()
  const { token } = succeed(await admin.from('open').createSignedUploadUrl(key))
  const content = randomBytes(100_000)
  const signed = { endpoint: `${endpoint}/sign`, chunkSize: 60_000, headers: { 'x-signature': token } }
  await run(content, wish(key, { options: signed }))
  assert.deepEqual(await stored(key), content)
})

/**
 * A proxy in front of a server; a connection is held after `bytes` bytes, and reached is called
 * once.
 */
function heldAt(bytes, port, reached) {
  let left = bytes
  const before = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    let held = false
    client.on('error', () => {}).on('close', () => server.destroy())
    server.on('error', () => {}).on('close', () => client.destroy()).pipe(client)
    client.on('data', (chunk) => {
      if (held) return
      held = left > 0 && left <= chunk.length
      left -= chunk.length
      server.write(chunk, held ? reached : undefined)
    })
  })
  return new Promise((listening) => before.listen(0, '127.0.0.1', () => listening(before)))
}

test('an upload outlives its server, killed in the middle of a request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-tus.'))
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  const serve = async () => {
    const server = plaza(['storage'], {
      DATABASE_URL: process.env.DATABASE_URL, AUTH_JWT_SECRET: process.env.JWT_SECRET, SERVER_HOST: '127.0.0.1', SERVER_PORT: String(port),
      STORAGE_FILE_BACKEND_PATH: folder, UPLOAD_FILE_SIZE_LIMIT: '200MB',
    })
    await started(server, `${at}/status`)
    return server
  }
  const key = newKey()
  // The system may buffer 36 MB of the first half that the server has not read; the server stores
  // each 8 MB as they are read.
  const content = randomBytes(100_000_000)
  const wanted = wish(key, { options: { retryDelays: Array(40).fill(500) } })
  let server = serve()
  const before = await heldAt(content.length / 2, port, () => {
    server = server.then(async (killed) => {
      killed.process.kill('SIGKILL')
      await killed.ended
      return serve()
    })
  })
  try {
    await server
    wanted.endpoint = `http://127.0.0.1:${before.address().port}/upload/resumable`
    await run(content, wanted)
    const offsets = wanted.steps.filter((step) => step.startsWith('HEAD 200')).map((step) => Number(step.split(' ')[2]))
    assert.ok(offsets.some((offset) => offset > 0 && offset < content.length), `it began anew: ${wanted.steps}`)
    assert.deepEqual(await stored(key, at), content)
  } finally {
    before.close()
    await server.then(({ process }) => process.kill('SIGKILL'))
    await rm(folder, { recursive: true })
  }
})
