// Contract: Conventions, Errors, and the part of Objects that storage-js does not show.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { anonKey, ask, failed, newKey, newUser, png, put, serviceKey, soon, token, url, userToken } from './kit.mjs'

test('tokens that are none', async () => {
  for (const [bearer, message] of [
    ['nonsense', 'Invalid Compact JWS'],
    [token({ role: 'service_role', exp: soon() }, 'another secret of 32 characters and more'), 'signature verification failed'],
    [token({ role: 'service_role', exp: 1_600_000_000 }), '"exp" claim timestamp check failed'],
  ]) {
    failed(await ask('GET', '/bucket', { bearer }), 400, 403, 'AccessDenied', message)
    failed(await ask('GET', '/object/authenticated/open/x', { bearer }), 400, 403, 'AccessDenied', message)
  }
  failed(await ask('GET', '/bucket', { bearer: null }), 400, 403, 'AccessDenied')
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"role":"service_role"}').toString('base64url')}.`
  failed(await ask('GET', '/bucket', { bearer: none }), 400, 403, 'AccessDenied')
  // A public object does not need a token, and an invalid one is ignored.
  const key = newKey()
  await put(key)
  assert.equal((await ask('GET', `/object/open/${key}`, { bearer: 'nonsense' })).text, 'hello')
})

test('an API key selects its role, as behind the gateway', async () => {
  assert.equal((await ask('GET', '/bucket', { bearer: null, headers: { apikey: serviceKey } })).status, 200)
  assert.deepEqual((await ask('GET', '/bucket', { bearer: null, headers: { apikey: anonKey } })).json, [])
})

test('a path that is none', async () => {
  for (const [method, path] of [['GET', '/nothing'], ['PATCH', '/bucket'], ['GET', '/object/open'], ['POST', '/object']]) {
    failed(await ask(method, path), 404, 404, 'InvalidRequest')
  }
})

test('pages of any origin may call', async () => {
  const answer = await fetch(`${url}/storage/v1/object/open/x`, {
    method: 'OPTIONS',
    headers: { origin: 'https://other.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,x-upsert' },
  })
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.match(answer.headers.get('access-control-allow-headers'), /x-upsert/)
})

test('liveness, version and health', async () => {
  assert.equal((await ask('GET', '/status', { bearer: null })).status, 200)
  assert.ok((await ask('GET', '/version', { bearer: null })).text)
  assert.deepEqual((await ask('GET', '/health')).json, { healthy: true })
})

for (const key of ['a b', "it's(1)!*", 'a@b=c;d:e+f,g', 'x?y', '$&', 'trailing/', '..hidden', 'a...b', 'UPPER', '-']) {
  test(`a key may be ${JSON.stringify(key)}`, async () => {
    const own = `${newUser()}/${key}`
    const path = own.split('/').map(encodeURIComponent).join('/')
    assert.equal((await put(path, key)).json.Key, `open/${own}`)
    assert.equal((await ask('GET', `/object/public/open/${path}`)).text, key)
    assert.equal((await ask('GET', `/object/info/public/open/${path}`)).json.name, own)
  })
}

for (const key of ['ñ', 'a\\b', 'a#b', 'a%b', 'a[b', 'a{b}', 'a|b', 'a~b', 'a"b', 'a<b>', 'a\nb', 'a\0b', '日本', 'x'.repeat(1025), '\u202e', '']) {
  test(`no key is ${JSON.stringify(key.slice(0, 12))}`, async () => {
    failed(await put(encodeURIComponent(key)), 400, 400, 'InvalidKey')
  })
}

// Sent unchanged: fetch would resolve them.
const raw = (text) => new Promise((done, fail) => {
  const { hostname, port } = new URL(url)
  let answer = ''
  const socket = connect(Number(port), hostname, () => socket.write(text))
  socket.on('data', (chunk) => (answer += chunk)).on('end', () => done(answer)).on('error', fail)
})

for (const path of ['../../../etc/passwd', 'a/../../b', '%2e%2e/%2e%2e/etc/passwd', '..%2f..%2fetc%2fpasswd', '//etc/passwd', './/./x', '%252e%252e/x', '..;/x', 'a/%2e%2e%2f%2e%2e%2f.plaza/lock']) {
  test(`a path such as ${path} leads nowhere else`, async () => {
    const read = await raw(`GET /storage/v1/object/public/open/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.match(read, /^HTTP\/1\.1 400 .*"code":"(NoSuchKey|InvalidKey)"/s)
    assert.doesNotMatch(read, /root:/)
    const content = `content of ${path}`
    const stored = await raw(`PUT /storage/v1/object/open/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${serviceKey}\r\nContent-Type: text/plain\r\nContent-Length: ${content.length}\r\n\r\n${content}`)
    if (stored.startsWith('HTTP/1.1 200')) {
      assert.match(await raw(`GET /storage/v1/object/public/open/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), new RegExp(`${content.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`))
      await raw(`DELETE /storage/v1/object/open/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${serviceKey}\r\n\r\n`)
    } else {
      assert.match(stored, /"code":"InvalidKey"/)
    }
  })
}

test('limits of size', async () => {
  const limit = 5 * 1024 * 1024
  const picture = (size) => Buffer.concat([png, Buffer.alloc(size - png.length)])
  const send = (body, headers = {}, bucket = 'photos') => ask('POST', `/object/${bucket}/${newKey('png')}`, { body, headers: { 'content-type': 'image/png', ...headers } })
  assert.equal((await send(picture(limit))).status, 200)
  failed(await send(picture(limit + 1)), 400, 413, 'EntityTooLarge', 'The object exceeded the maximum allowed size')
  // Without a length it is counted as it arrives.
  const stream = (bytes) => new ReadableStream({ start(c) { c.enqueue(bytes); c.close() } })
  assert.equal((await send(stream(picture(limit)))).status, 200)
  failed(await send(stream(picture(limit + 1))), 400, 413, 'EntityTooLarge')
  const form = (bytes) => { const made = new FormData(); made.append('', new Blob([bytes], { type: 'image/png' })); return made }
  const upload = (body) => ask('POST', `/object/photos/${newKey('png')}`, { body })
  assert.equal((await upload(form(picture(limit)))).status, 200)
  failed(await upload(form(picture(limit + 1))), 400, 413, 'EntityTooLarge')
  // The server's own limit, from config.toml.
  failed(await send(Buffer.alloc(6_291_457), { 'content-type': 'text/plain' }, 'open'), 400, 413, 'EntityTooLarge')
  // An empty file, and the object that keeps a folder.
  const empty = newKey()
  assert.equal((await put(empty, '')).status, 200)
  assert.equal((await ask('GET', `/object/public/open/${empty}`)).bytes.length, 0)
  const folder = `${newUser()}/.emptyFolderPlaceholder`
  assert.equal((await put(folder, '', {}, 'photos')).status, 200)
  failed(await put(`${newUser()}/.emptyFolderPlaceholder`, 'x'), 400, 413, 'EntityTooLarge')
})

test('types that a bucket takes', async () => {
  const send = (body, type) => ask('POST', `/object/photos/${newKey('png')}`, { body, headers: { 'content-type': type } })
  assert.equal((await send(png, 'image/png')).status, 200)
  failed(await send(png, 'image/webp'), 400, 415, 'InvalidMimeType', 'mime type image/webp is not supported')
  failed(await send(png, 'nonsense'), 400, 415, 'InvalidMimeType')
  failed(await send('<html><script>1</script>', 'image/png'), 400, 415, 'InvalidMimeType')
  failed(await send('just text', 'image/jpeg'), 400, 415, 'InvalidMimeType')
  failed(await send(Buffer.from('504b0304', 'hex'), 'image/png'), 400, 415, 'InvalidMimeType')
})

test('lengths that lie, and bodies that end early', async () => {
  const key = newKey()
  const send = (length, body, end) => new Promise((done) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /storage/v1/object/open/${key} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${serviceKey}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${body}`)
      if (end) socket.end()
    })
    socket.on('data', (chunk) => (answer += chunk)).on('close', () => done(answer)).on('error', () => done(answer))
  })
  assert.doesNotMatch(await send(10, 'short', true), /^HTTP\/1\.1 200/)
  failed(await ask('GET', `/object/public/open/${key}`), 400, 404, 'NoSuchKey')
  assert.match(await send(-1, 'x', true), /^HTTP\/1\.1 400/)
  assert.match(await send(60_000_000, 'x', true), /EntityTooLarge/)
  failed(await ask('POST', `/object/open/${key}`, { body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb', headers: { 'content-type': 'multipart/form-data; boundary=x' } }), 400, 400, 'InvalidRequest')
  failed(await ask('POST', `/object/open/${key}`, { body: 'x', headers: { 'content-type': 'multipart/form-data' } }), 400, 400, 'InvalidRequest')
  failed(await ask('POST', '/object/none/x', { body: 'x' }), 400, 404, 'NoSuchBucket', 'Bucket not found')
})

test('ranges', async () => {
  const key = newKey()
  await put(key, '0123456789')
  const range = (text, headers = {}) => ask('GET', `/object/public/open/${key}`, { headers: { range: text, ...headers } })
  for (const [text, content, where] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'], ['bytes=4-', '456789', 'bytes 4-9/10'], ['bytes=-3', '789', 'bytes 7-9/10'], ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=5-5', '5', 'bytes 5-5/10'],
  ]) {
    const part = await range(text)
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, content, where])
    assert.equal(part.headers.get('content-length'), String(content.length))
  }
  for (const text of ['bytes=10-', 'bytes=5-4', 'bytes=-0', 'bytes=0-1,3-4', 'bytes=-', 'bytes=a-b', 'chars=0-1', 'bytes=+1-2']) failed(await range(text), 416, 416, 'InvalidRange', 'invalid range provided')
  const { headers } = await ask('GET', `/object/public/open/${key}`)
  assert.equal((await range('bytes=0-3', { 'if-range': headers.get('etag') })).status, 206)
  assert.equal((await range('bytes=0-3', { 'if-range': '"other"' })).text, '0123456789')
})

test('conditional requests', async () => {
  const key = newKey()
  await put(key)
  const path = `/object/public/open/${key}`
  const { headers } = await ask('GET', path)
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')]
  const status = async (given, method = 'GET') => (await ask(method, path, { headers: given })).status
  for (const given of [{ 'if-none-match': etag }, { 'if-none-match': `"x", W/${etag}` }, { 'if-none-match': '*' }, { 'if-modified-since': modified }]) {
    assert.equal(await status(given), 304)
    assert.equal(await status(given, 'HEAD'), 304)
  }
  for (const given of [{ 'if-none-match': '"x"' }, { 'if-none-match': '"x"', 'if-modified-since': modified }, { 'if-modified-since': new Date(0).toUTCString() }, { 'if-match': etag }]) assert.equal(await status(given), 200)
  assert.equal(await status({ 'if-match': '"x"' }), 412)
})

test('headers of an object', async () => {
  const key = newKey()
  await put(key, 'hello', { 'cache-control': 'max-age=5', 'x-robots-tag': 'googlebot: noindex, nofollow' })
  const head = await ask('HEAD', `/object/public/open/${key}`)
  for (const [name, value] of Object.entries({
    'content-type': 'text/plain', 'content-length': '5', 'cache-control': 'max-age=5', etag: '"5d41402abc4b2a76b9719d911017c592"',
    'accept-ranges': 'bytes', 'x-robots-tag': 'googlebot: noindex, nofollow', 'x-content-type-options': 'nosniff',
  })) {
    assert.equal(head.headers.get(name), value)
  }
  assert.equal((await ask('GET', `/object/public/open/${key}?download`)).headers.get('content-disposition'), 'attachment;')
  assert.equal((await ask('GET', `/object/public/open/${key}?download=a%0d%0aX-Evil:1`)).headers.get('x-evil'), null)
  const plain = newKey()
  await put(plain)
  const got = await ask('GET', `/object/public/open/${plain}`)
  assert.deepEqual([got.headers.get('cache-control'), got.headers.get('x-robots-tag')], ['no-cache', 'none'])
  failed(await put(newKey(), 'x', { 'x-robots-tag': 'nonsense' }), 400, 400, 'InvalidRequest')
})

test('uploaded files cannot run scripts on the site', async () => {
  for (const [type, shown, policy] of [['text/html', 'text/plain', null], ['text/html; charset=utf-8', 'text/plain', null], ['image/svg+xml', 'image/svg+xml', /^sandbox/], ['application/xhtml+xml', 'application/xhtml+xml', /^sandbox/]]) {
    const key = newKey()
    await put(key, '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', { 'content-type': type })
    const { headers } = await ask('GET', `/object/public/open/${key}`)
    assert.equal(headers.get('content-type'), shown)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    if (policy) {
      assert.match(headers.get('content-security-policy'), policy)
      assert.equal(headers.get('content-disposition'), 'attachment')
    }
  }
})

test('user metadata', async () => {
  const key = newKey()
  const encode = (text) => Buffer.from(text).toString('base64')
  await put(key, 'x', { 'x-metadata': encode('{"a":{"b":[1,"ñ"]}}') })
  assert.deepEqual((await ask('GET', `/object/info/open/${key}`)).json.metadata, { a: { b: [1, 'ñ'] } })
  for (const text of ['nonsense', encode('nonsense'), encode('[1]'), encode('"a"'), encode('{"a":"\\u0000"}')]) {
    const other = newKey()
    assert.equal((await put(other, 'x', { 'x-metadata': text })).status, 200)
    assert.deepEqual((await ask('GET', `/object/info/open/${other}`)).json.metadata, {})
  }
  const form = new FormData()
  form.append('metadata', `{"a":"${'x'.repeat(1 << 20)}"}`)
  form.append('', new Blob(['x']))
  failed(await ask('POST', `/object/open/${newKey()}`, { body: form }), 400, 413, 'EntityTooLarge', 'The user_metadata exceeded the maximum allowed size')
})

test('signed URLs that do not match their request', async () => {
  const user = newUser()
  const [key, other] = [`${user}/a.txt`, `${user}/b.txt`]
  for (const each of [key, other]) await put(each, each, {}, 'own')
  const { signedURL } = (await ask('POST', `/object/sign/own/${key}`, { json: { expiresIn: 60 }, bearer: userToken(user) })).json
  const good = new URL(signedURL, 'http://x').searchParams.get('token')
  const open = (given, at = key) => ask('GET', `/object/sign/own/${at}?token=${given}`, { bearer: null })
  assert.equal((await open(good)).text, key)
  assert.deepEqual(Object.keys(JSON.parse(Buffer.from(good.split('.')[1], 'base64url'))).sort(), ['exp', 'iat', 'scope', 'url'])
  failed(await open(good, other), 400, 400, 'InvalidSignature', 'Invalid signature')
  failed(await open(`${good.slice(0, -3)}abc`), 400, 400, 'InvalidJWT')
  failed(await open('nonsense'), 400, 400, 'InvalidJWT', 'Invalid Compact JWS')
  failed(await open(token({ url: `own/${key}`, scope: 'download', exp: 1_600_000_000 })), 400, 400, 'InvalidJWT', '"exp" claim timestamp check failed')
  failed(await open(token({ url: `own/${key}`, scope: 'download' })), 400, 400, 'InvalidJWT')
  failed(await open(token({ url: `own/${key}`, scope: 'upload', exp: soon() })), 400, 400, 'InvalidSignature', 'Token is not scoped for download')
  failed(await open(token({ url: `own/${key}`, exp: soon(), upsert: false })), 400, 400, 'InvalidSignature')
  failed(await open(serviceKey), 400, 400, 'InvalidSignature')
  failed(await ask('GET', `/object/sign/own/${key}`, { bearer: null }), 400, 400, 'InvalidRequest')
  const upload = (given) => ask('PUT', `/object/upload/sign/own/${user}/c.txt?token=${given}`, { bearer: null, body: 'x', headers: { 'content-type': 'text/plain' } })
  failed(await upload(good), 400, 400, 'InvalidSignature')
  failed(await upload(token({ url: `own/${user}/c.txt`, scope: 'download', exp: soon() })), 400, 400, 'InvalidSignature', 'Token is not scoped for upload')
  failed(await upload(token({ url: `own/${user}/c.txt`, scope: 'upload', upsert: false, exp: 1_600_000_000 })), 400, 400, 'InvalidJWT')
  assert.deepEqual((await upload(token({ url: `own/${user}/c.txt`, scope: 'upload', upsert: false, exp: soon() }))).json, { Key: `own/${user}/c.txt` })
})

test('a bucket may be called as a part of the API is', async () => {
  for (const bucket of ['public', 'info']) {
    await ask('POST', '/bucket', { json: { name: bucket, public: true } })
    const key = newKey()
    assert.equal((await put(key, bucket, {}, bucket)).status, 200)
    assert.equal((await ask('GET', `/object/public/${bucket}/${key}`)).text, bucket)
  }
})

