// Contract: Image transformation, through storage-js and raw HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { admin, anon, anonKey, ask, base, failed, member, newKey, newUser, refused, succeed, token, userToken } from './kit.mjs'

/** A grey PNG of the given size. */
function picture(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, body, checksum(body)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 128)
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0)),
  ])
}

function checksum(bytes) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  const made = Buffer.alloc(4)
  made.writeUInt32BE((sum ^ 0xffffffff) >>> 0)
  return made
}

/** Returns type and size of a picture, from its first bytes. */
function kind(bytes) {
  if (bytes.toString('latin1', 1, 4) === 'PNG') return `png ${bytes.readUInt32BE(16)}×${bytes.readUInt32BE(20)}`
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return bytes.toString()
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return `webp ${bytes.readUInt16LE(26) & 0x3fff}×${bytes.readUInt16LE(28) & 0x3fff}`
    case 'VP8X':
      return `webp ${bytes.readUIntLE(24, 3) + 1}×${bytes.readUIntLE(27, 3) + 1}`
    default: {
      const sides = bytes.readUInt32LE(21)
      return `webp ${(sides & 0x3fff) + 1}×${((sides >> 14) & 0x3fff) + 1}`
    }
  }
}

const bytesOf = async (result) => Buffer.from(await succeed(await result).arrayBuffer())
const fetched = async (address, headers = {}) => {
  const answer = await fetch(address, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

async function stored(storage, bucket, key, content = picture(80, 40), contentType = 'image/png') {
  succeed(await storage.from(bucket).upload(key, content, { contentType, upsert: true }))
  return key
}

test('storage-js downloads a picture transformed', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const key = await stored(member(user), 'own', `${user}/${newKey('png')}`)
  for (const [transform, want] of [
    [{ width: 20 }, 'png 20×10'],
    [{ width: 20, height: 20 }, 'png 20×20'],
    [{ width: 20, height: 20, resize: 'contain' }, 'png 20×10'],
    [{ width: 20, height: 30, resize: 'fill' }, 'png 20×30'],
    [{ width: 20, quality: 50, format: 'origin' }, 'png 20×10'],
    [{ width: 20, format: 'webp' }, 'webp 20×10'],
    [{}, 'png 80×40'],
  ]) {
    assert.equal(kind(await bytesOf(own.download(key, { transform }))), want, JSON.stringify(transform))
  }
  assert.ok((await member(newUser()).from('own').download(key, { transform: { width: 20 } })).error)
  failed(await ask('GET', `/render/image/authenticated/own/${key}?width=20`, { bearer: userToken(newUser()) }), 400, 404, 'NoSuchKey', 'Object not found')
  failed(await ask('GET', `/render/image/public/own/${key}?width=20`), 400, 404, 'NoSuchBucket', 'Bucket not found')
})

test('storage-js makes public URLs of pictures transformed', async () => {
  const key = await stored(admin, 'open', newKey('png'))
  const { publicUrl } = anon.from('open').getPublicUrl(key, { transform: { width: 20 }, download: 'small.png' }).data
  const got = await fetched(publicUrl)
  assert.equal(got.status, 200)
  assert.equal(kind(got.bytes), 'png 20×10')
  assert.equal(got.headers.get('x-transformations'), 'width:20,resizing_type:fill')
  assert.equal(got.headers.get('content-disposition'), "attachment; filename=small.png; filename*=UTF-8''small.png")
  assert.equal(got.headers.get('vary'), 'Accept')
  assert.equal(got.headers.get('x-robots-tag'), 'none')

  const again = await fetched(publicUrl, { accept: 'image/avif,image/webp,*/*' })
  assert.equal(again.headers.get('content-type'), 'image/webp')
  assert.equal(kind(again.bytes), 'webp 20×10')
  assert.notEqual(again.headers.get('etag'), got.headers.get('etag'))
  assert.equal((await fetched(publicUrl, { 'if-none-match': got.headers.get('etag') })).status, 304)
  const head = await fetch(publicUrl, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), String(got.bytes.length))
})

test('storage-js signs URLs of pictures transformed', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const key = await stored(member(user), 'own', `${user}/${newKey('png')}`)
  const { signedUrl } = succeed(await own.createSignedUrl(key, 60, { transform: { width: 20, height: 20, quality: 60 } }))
  assert.ok(signedUrl.startsWith(`${base}/render/image/sign/own/`), signedUrl)
  const got = await fetched(`${signedUrl}&width=33`)
  assert.equal(got.status, 200)
  assert.equal(kind(got.bytes), 'png 20×20')
  assert.equal(got.headers.get('x-transformations'), 'height:20,width:20,resizing_type:fill,quality:60')
  assert.ok(got.headers.get('expires'))
  const claims = JSON.parse(Buffer.from(new URL(signedUrl).searchParams.get('token').split('.')[1], 'base64url'))
  assert.equal(claims.transformations, 'height:20,width:20,quality:60')
  assert.equal(claims.scope, 'download')

  const plain = succeed(await own.createSignedUrl(key, 60, { transform: {} })).signedUrl
  assert.ok(plain.startsWith(`${base}/object/sign/own/`), plain)
  refused(await own.createSignedUrl(key, 60, { transform: { width: -1 } }), 400, 'body/transform/width must be >= 0')
})

test('tokens of signed pictures', async () => {
  const key = await stored(admin, 'open', newKey('png'))
  const path = `/render/image/sign/open/${key}`
  const now = Math.floor(Date.now() / 1000)
  const sign = (claims, secret) => token({ url: `open/${key}`, scope: 'download', iat: now, exp: now + 60, ...claims }, secret)
  // What upstream's server writes if no resize mode is named.
  const upstreams = await ask('GET', `${path}?token=${sign({ transformations: 'height:20,width:20,resize:undefined,gravity:fp:0:1' })}`)
  assert.equal(kind(upstreams.bytes), 'png 20×20')
  assert.equal(upstreams.headers.get('x-transformations'), 'height:20,width:20,resizing_type:fill,gravity:fp:0:1')
  failed(await ask('GET', `${path}?token=x`), 400, 400, 'InvalidJWT')
  failed(await ask('GET', path), 400, 400, 'InvalidRequest', "querystring must have required property 'token'")
  failed(await ask('GET', `${path}?token=${sign({ scope: 'upload' })}`), 400, 400, 'InvalidSignature')
  failed(await ask('GET', `${path}?token=${sign({ url: 'open/other.png' })}`), 400, 400, 'InvalidSignature')
  failed(await ask('GET', `${path}?token=${sign({ iat: now - 120, exp: now - 60 })}`), 400, 400, 'InvalidJWT', '"exp" claim timestamp check failed')
  failed(await ask('GET', `${path}?token=${sign({}, 'another-secret-of-more-than-32-characters')}`), 400, 400, 'InvalidJWT', 'signature verification failed')
})

test('options out of their bounds', async () => {
  const key = await stored(admin, 'open', newKey('png'))
  const path = `/render/image/public/open/${key}`
  for (const query of ['width=-1', 'height=a', 'quality=19', 'quality=101', 'resize=x', 'format=bmp', 'gravity=up', 'gravity=fp&x_offset=0.5', 'gravity=fp&x_offset=2&y_offset=0', 'gravity=no&x_offset=x']) {
    failed(await ask('GET', `${path}?${query}`), 400, 400, 'InvalidRequest')
  }
  const got = await ask('GET', `${path}?width=99999`)
  assert.equal(got.headers.get('x-transformations'), 'width:2000,resizing_type:fill')
  assert.equal(kind(got.bytes), 'png 80×40') // never larger than the original
})

test('a focal point and sides are kept in sight', async () => {
  const key = await stored(admin, 'open', newKey('png'))
  for (const [query, applied] of [
    ['gravity=sm&x_offset=12', 'gravity:sm'],
    ['gravity=fp&x_offset=0.25&y_offset=0.75', 'gravity:fp:0.25:0.75'],
    ['gravity=noea', 'gravity:noea'],
    ['gravity=no&y_offset=0.5', 'gravity:no:0:0.5'],
  ]) {
    const got = await ask('GET', `/render/image/public/open/${key}?width=20&height=20&resize=cover&${query}`)
    assert.equal(got.headers.get('x-transformations'), `height:20,width:20,resizing_type:fill,${applied}`)
    assert.equal(kind(got.bytes), 'png 20×20')
  }
})

test('a file that is not a picture is refused', async () => {
  const bomb = picture(1, 1)
  bomb.writeUInt32BE(100_000, 16)
  bomb.writeUInt32BE(100_000, 20)
  checksum(bomb.subarray(12, 29)).copy(bomb, 29)
  const invalid = 'The source image is invalid or unsupported for rendering'
  for (const [content, type, message] of [
    ['not an image', 'text/plain', invalid],
    ['not an image', 'image/png', invalid],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'image/svg+xml', invalid],
    [picture(80, 40).subarray(0, 60), 'image/png', invalid],
    [bomb, 'image/png', 'The source image resolution is too large to process'],
  ]) {
    const key = await stored(admin, 'open', newKey('png'), Buffer.from(content), type)
    const answer = await ask('GET', `/render/image/public/open/${key}?width=10`)
    failed(answer, 400, 400, 'InvalidRequest', message)
    assert.equal(answer.json.error, 'InvalidRequest')
  }
})

test('a picture that was replaced or removed is not shown any more', async () => {
  const key = await stored(admin, 'open', newKey('png'))
  const path = `/render/image/public/open/${key}?width=20`
  const first = await ask('GET', path)
  assert.equal(kind(first.bytes), 'png 20×10')
  await stored(admin, 'open', key, picture(80, 80))
  const second = await ask('GET', path)
  assert.equal(kind(second.bytes), 'png 20×20')
  assert.notEqual(second.headers.get('etag'), first.headers.get('etag'))
  succeed(await admin.from('open').remove([key]))
  failed(await ask('GET', path), 400, 404, 'NoSuchKey', 'Object not found')
  failed(await ask('GET', path.replace('public', 'authenticated'), { bearer: anonKey }), 400, 404, 'NoSuchKey')
})
