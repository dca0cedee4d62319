// Contract: Objects, through storage-js.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, anon, ask, base, failed, member, newKey, newUser, put, refused, succeed, userToken } from './kit.mjs'

const text = (content, type = 'text/plain') => new Blob([content], { type })
const read = async (result) => await succeed(await result).text()

test('an object is stored and read as it was', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const key = `${user}/a b/${newKey()}`
  const stored = succeed(await own.upload(key, text('hello'), { cacheControl: '60', metadata: { mood: 'good' } }))
  assert.equal(stored.path, key)
  assert.equal(stored.fullPath, `own/${key}`)
  assert.match(stored.id, /^[0-9a-f-]{36}$/)
  assert.equal(await read(own.download(key)), 'hello')

  const info = succeed(await own.info(key))
  assert.equal(info.size, 5)
  assert.equal(info.contentType, 'text/plain')
  assert.equal(info.cacheControl, 'max-age=60')
  assert.equal(info.etag, '"5d41402abc4b2a76b9719d911017c592"')
  assert.deepEqual(info.metadata, { mood: 'good' })
  assert.equal(info.bucketId, 'own')
  assert.equal(info.name, key)
  assert.equal(info.id, stored.id)
  assert.equal(succeed(await own.exists(key)), true)
  assert.equal((await own.exists(`${user}/other`)).data, false)
})

test('the row contains owner and metadata', async () => {
  const user = newUser()
  const key = `${user}/${newKey()}`
  succeed(await member(user).from('own').upload(key, text('hello')))
  const [row] = succeed(await admin.from('own').list(user))
  assert.deepEqual({ ...row.metadata, lastModified: '' }, {
    eTag: '"5d41402abc4b2a76b9719d911017c592"', size: 5, mimetype: 'text/plain', cacheControl: 'max-age=3600', contentLength: 5,
    httpStatusCode: 200, lastModified: '',
  })
  const [gone] = succeed(await admin.from('own').remove([key]))
  assert.equal(gone.owner, user)
  assert.equal(gone.owner_id, user)
})

test('bodies of every kind', async () => {
  const stream = new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('hello')); c.close() } })
  const form = new FormData()
  form.append('', text('hello'))
  for (const body of ['hello', Buffer.from('hello'), new TextEncoder().encode('hello').buffer, text('hello'), new File(['hello'], 'a.txt'), stream, form]) {
    const key = newKey()
    succeed(await admin.from('open').upload(key, body, { duplex: 'half', contentType: 'text/plain' }))
    assert.equal(await read(admin.from('open').download(key)), 'hello')
  }
})

test('an existing object is only replaced on request', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const key = `${user}/${newKey()}`
  const { id } = succeed(await own.upload(key, text('one')))
  refused(await own.upload(key, text('two')), 409, 'The resource already exists')
  assert.equal(await read(own.download(key)), 'one')
  assert.equal(succeed(await own.upload(key, text('three'), { upsert: true })).id, id)
  assert.equal(await read(own.download(key)), 'three')
  succeed(await own.update(key, text('four')))
  assert.equal(await read(own.download(key)), 'four')
  succeed(await own.update(`${user}/${newKey()}`, text('new')))
})

test('of several that store one key at once, one does', async () => {
  const key = newKey()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => put(key, `${i}`.repeat(1000))))
  const stored = answers.filter((answer) => answer.status === 200)
  assert.equal(stored.length, 1)
  for (const answer of answers) if (answer.status !== 200) failed(answer, 400, 409, 'KeyAlreadyExists')
  const content = (await ask('GET', `/object/public/open/${key}`)).text
  assert.equal(content, `${answers.indexOf(stored[0])}`.repeat(1000))
})

test('policies decide on objects', async () => {
  const [owner, other] = [newUser(), newUser()]
  const key = `${owner}/${newKey()}`
  const [own, foreign] = [member(owner).from('own'), member(other).from('own')]
  succeed(await own.upload(key, text('mine')))
  refused(await foreign.upload(`${owner}/other.txt`, text('x')), 403, 'new row violates row-level security policy')
  refused(await foreign.upload(key, text('x'), { upsert: true }), 403)
  assert.ok((await foreign.download(key)).error)
  refused(await foreign.info(key), 404, 'Object not found')
  refused(await foreign.createSignedUrl(key, 60), 404, 'Object not found')
  refused(await foreign.move(key, `${other}/a`), 404)
  refused(await foreign.copy(key, `${other}/a`), 404)
  assert.deepEqual(succeed(await foreign.list(owner)), [])
  assert.deepEqual(succeed(await foreign.remove([key])), [])
  failed(await ask('DELETE', `/object/own/${key}`, { bearer: userToken(other) }), 400, 403, 'AccessDenied', 'Access denied')
  failed(await ask('DELETE', `/object/own/${owner}/none`, { bearer: userToken(other) }), 400, 404, 'NoSuchKey', 'Object not found')
  assert.equal(await read(own.download(key)), 'mine')
  // A caller who may insert but not update cannot upsert, whether the object exists or not.
  succeed(await member(owner).from('open').upload(`${owner}/once`, text('x')))
  refused(await member(owner).from('open').upload(`${owner}/once`, text('y'), { upsert: true }), 403)
})

test('policies see the request', async () => {
  const send = (headers, length = 5, key = newKey()) =>
    ask('POST', `/object/open/box/${key}`, { bearer: process.env.SUPABASE_ANON_KEY, body: 'x'.repeat(length), headers: { 'content-type': 'text/plain', ...headers } })
  assert.equal((await send({ 'x-box': 'yes' })).status, 200)
  failed(await send({}), 400, 403, 'AccessDenied')
  failed(await send({ 'x-box': 'yes' }, 11), 400, 403, 'AccessDenied')
  failed(await send({ 'x-box': 'yes', 'content-type': 'text/css' }), 400, 403, 'AccessDenied')
})

test('a public bucket can be read without a token, a private one cannot', async () => {
  const key = newKey()
  succeed(await admin.from('open').upload(key, text('public')))
  assert.equal(await (await fetch(admin.from('open').getPublicUrl(key).data.publicUrl)).text(), 'public')
  for (const path of [`/object/open/${key}`, `/object/authenticated/open/${key}`]) assert.equal((await ask('GET', path, { bearer: process.env.SUPABASE_ANON_KEY })).text, 'public')
  assert.equal((await ask('GET', `/object/open/${key}`, { bearer: null })).text, 'public')
  assert.equal(succeed(await anon.from('open').info(key)).size, 6)
  succeed(await admin.from('shut').upload(key, text('secret')))
  for (const path of [`/object/public/shut/${key}`, `/object/shut/${key}`, `/object/info/public/shut/${key}`, `/object/info/shut/${key}`, '/object/public/none/x']) {
    failed(await ask('GET', path, { bearer: null }), 400, 404, 'NoSuchBucket', 'Bucket not found')
  }
  failed(await ask('GET', '/object/public/open/none'), 400, 404, 'NoSuchKey', 'Object not found')
  assert.equal((await ask('HEAD', '/object/public/open/none')).status, 400)
})

test('objects are removed, also many at once', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const keys = Array.from({ length: 3 }, () => `${user}/${newKey()}`)
  for (const key of keys) succeed(await own.upload(key, text('x')))
  const removed = succeed(await own.remove([keys[0], keys[1], `${user}/none`, 'foreign/a']))
  assert.deepEqual(removed.map((row) => row.name).sort(), [keys[0], keys[1]].sort())
  assert.equal(removed[0].bucket_id, 'own')
  assert.deepEqual((await ask('DELETE', `/object/own/${keys[2]}`, { bearer: userToken(user) })).json, { message: 'Successfully deleted' })
  for (const key of keys) refused(await own.info(key), 404)
  const many = Array.from({ length: 1200 }, (_, i) => `none-${i}`)
  assert.deepEqual(succeed(await own.remove(many)), [])
  failed(await ask('DELETE', '/object/open', { json: { prefixes: [] } }), 400, 400, 'InvalidRequest')
  failed(await ask('DELETE', '/object/open', { json: { prefixes: [1] } }), 400, 400, 'InvalidRequest')
})

test('an object is moved, and across buckets', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const [from, to] = [`${user}/from.txt`, `${user}/deep/to.txt`]
  const { id } = succeed(await own.upload(from, text('moved'), { metadata: { a: 1 } }))
  assert.equal(succeed(await own.move(from, to)).message, 'Successfully moved')
  refused(await own.info(from), 404)
  assert.equal(await read(own.download(to)), 'moved')
  const info = succeed(await own.info(to))
  assert.equal(info.id, id)
  assert.deepEqual(info.metadata, { a: 1 })
  assert.equal(info.contentType, 'text/plain')

  const taken = `${user}/taken.txt`
  succeed(await own.upload(taken, text('there')))
  refused(await own.move(to, taken), 409, 'The resource already exists')
  refused(await own.move(to, 'elsewhere/x'), 403)
  refused(await own.move(`${user}/none`, `${user}/x`), 404, 'Object not found')
  refused(await admin.from('own').move(to, 'x', { destinationBucket: 'none' }), 404)
  const key = newKey()
  succeed(await admin.from('own').move(to, key, { destinationBucket: 'open' }))
  assert.equal(await read(anon.from('open').download(key)), 'moved')
  failed(await ask('POST', '/object/move', { json: { bucketId: 'own', sourceKey: 'a' } }), 400, 400, 'InvalidRequest')
  failed(await ask('POST', '/object/move', { json: { bucketId: 'open', sourceKey: key, destinationKey: 'a\\b' } }), 400, 400, 'InvalidKey')
})

test('an object is copied, with its metadata or other', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const [from, to] = [`${user}/from.txt`, `${user}/to.txt`]
  succeed(await own.upload(from, text('copied'), { cacheControl: '7', metadata: { a: 1 } }))
  assert.equal(succeed(await own.copy(from, to)).path, `own/${to}`)
  assert.equal(await read(own.download(to)), 'copied')
  assert.deepEqual(succeed(await own.info(to)).metadata, { a: 1 })
  refused(await own.copy(from, to), 409, 'The resource already exists')
  refused(await own.copy(from, 'elsewhere/x'), 403)

  const answer = await ask('POST', '/object/copy', {
    bearer: userToken(user),
    headers: { 'x-upsert': 'true', 'x-metadata': Buffer.from('{"b":2}').toString('base64') },
    json: { bucketId: 'own', sourceKey: from, destinationKey: to, copyMetadata: false, metadata: { cacheControl: 'max-age=9', mimetype: 'text/css' } },
  })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.Key, `own/${to}`)
  assert.equal(answer.json.Id, answer.json.id)
  assert.equal(answer.json.name, to)
  const info = succeed(await own.info(to))
  assert.deepEqual([info.metadata, info.cacheControl, info.contentType], [{ b: 2 }, 'max-age=9', 'text/css'])
  assert.equal(await read(own.download(from)), 'copied')
})

test('a folder is listed as a file manager shows it', async () => {
  const user = newUser()
  const own = member(user).from('own')
  for (const key of ['b.txt', 'A.txt', 'c.txt', 'x/1.txt', 'x/2.txt', 'Y/z/3.txt']) succeed(await own.upload(`${user}/${key}`, text(key)))
  const names = async (options, folder = user) => succeed(await own.list(folder, options)).map((entry) => (entry.id ? entry.name : `${entry.name}/`)).join(' ')
  assert.equal(await names({}), 'A.txt b.txt c.txt x/ Y/')
  assert.equal(await names({ sortBy: { column: 'name', order: 'desc' } }), 'Y/ x/ c.txt b.txt A.txt')
  assert.equal(await names({ limit: 2, offset: 1 }), 'b.txt c.txt')
  assert.equal(await names({ limit: 2, offset: 3 }), 'x/ Y/')
  assert.equal(await names({ search: 'a' }), 'A.txt')
  assert.equal(await names({ search: 'y' }), 'Y/')
  assert.equal(await names({}, `${user}/x`), '1.txt 2.txt')
  assert.equal(await names({}, `${user}/x/`), '1.txt 2.txt')
  assert.equal(await names({ sortBy: { column: 'created_at', order: 'asc' } }), 'x/ Y/ b.txt A.txt c.txt')
  assert.equal(await names({ sortBy: { column: 'updated_at', order: 'desc' }, limit: 3, offset: 2 }), 'c.txt A.txt b.txt')
  const [folder] = succeed(await own.list(user, { search: 'x' }))
  assert.deepEqual(folder, { name: 'x', id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null })
  for (const json of [{}, { prefix: '', limit: 0 }, { prefix: '', offset: -1 }, { prefix: '', sortBy: { column: 'owner' } }, { prefix: '', sortBy: { column: 'name', order: 'up' } }]) {
    failed(await ask('POST', '/object/list/open', { json }), 400, 400, 'InvalidRequest')
  }
  assert.deepEqual(succeed(await own.list("'; drop table x; --%_\\")), [])
})

test('a bucket is listed page by page', async () => {
  const user = newUser()
  const own = member(user).from('own')
  for (const key of ['b', 'A', 'c', 'x/1', 'x/2', 'y/z/3']) succeed(await own.upload(`${user}/${key}`, text(key)))
  const walk = async (options) => {
    const found = []
    for (let cursor; ;) {
      const page = succeed(await own.listV2({ prefix: `${user}/`, ...options, cursor }))
      found.push(...page.folders.map((entry) => [entry.name, entry.key]), ...page.objects.map((entry) => [entry.name, entry.key]))
      if (!page.hasNext) return found.map(([name]) => name.slice(user.length + 1)).join(' ')
      assert.equal(page.nextCursorKey, found.map(([name]) => name).find((name) => name === page.nextCursorKey))
      cursor = page.nextCursor
    }
  }
  assert.equal(await walk({}), 'A b c x/1 x/2 y/z/3')
  assert.equal(await walk({ limit: 1 }), 'A b c x/1 x/2 y/z/3')
  assert.equal(await walk({ limit: 2, sortBy: { column: 'name', order: 'desc' } }), 'y/z/3 x/2 x/1 c b A')
  assert.equal(await walk({ limit: 1, with_delimiter: true }), 'A b c x/ y/')
  assert.equal(await walk({ limit: 1, with_delimiter: true, sortBy: { column: 'name', order: 'desc' } }), 'y/ x/ c b A')
  assert.equal(await walk({ limit: 2, sortBy: { column: 'created_at', order: 'asc' } }), 'b A c x/1 x/2 y/z/3')
  assert.equal(await walk({ limit: 1, with_delimiter: true, sortBy: { column: 'created_at', order: 'desc' } }), 'y/ x/ c A b')
  const page = succeed(await own.listV2({ prefix: `${user}/`, with_delimiter: true }))
  assert.deepEqual([page.folders[0].key, page.objects[0].key], ['x', 'A'])
  failed(await ask('POST', '/object/list-v2/open', { json: { cursor: 'none' } }), 400, 400, 'InvalidParameter')
})

test('a signed URL opens its object, for its time', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const key = `${user}/a b & c?/${newKey()}`
  succeed(await admin.from('own').upload(encodeURI(key).replaceAll('?', '%3F'), text('signed')))
  const stored = succeed(await own.list(`${user}/a b & c?`))
  assert.equal(stored.length, 1)
  const simple = `${user}/${newKey()}`
  succeed(await own.upload(simple, text('signed'), { cacheControl: '60' }))
  const { signedUrl } = succeed(await own.createSignedUrl(simple, 60, { download: 'their file.txt' }))
  const answer = await fetch(signedUrl)
  assert.equal(await answer.text(), 'signed')
  assert.equal(answer.headers.get('cache-control'), null)
  assert.ok(Math.abs(Date.parse(answer.headers.get('expires')) - Date.now() - 60_000) < 10_000)
  assert.equal(answer.headers.get('content-disposition'), "attachment; filename=their%20file.txt; filename*=UTF-8''their%20file.txt")

  const many = succeed(await own.createSignedUrls([simple, `${user}/none`], 60))
  assert.equal(await (await fetch(many[0].signedUrl)).text(), 'signed')
  assert.equal(many[1].error, 'Either the object does not exist or you do not have access to it')
  assert.equal(many[1].signedUrl, null)
  for (const json of [{}, { expiresIn: 0 }, { expiresIn: 1.5 }, { expiresIn: 'soon' }]) failed(await ask('POST', `/object/sign/own/${simple}`, { json }), 400, 400, 'InvalidRequest')
  failed(await ask('POST', `/object/sign/own/${simple}`, { json: { expiresIn: 1e17 } }), 400, 400, 'InvalidParameter')
  failed(await ask('POST', '/object/sign/own', { json: { expiresIn: 1, paths: Array(1001).fill('a') } }), 400, 400, 'InvalidRequest')
})

test('a signed URL lets a stranger upload one object', async () => {
  const user = newUser()
  const own = member(user).from('own')
  const key = `${user}/${newKey()}`
  const { token, path } = succeed(await own.createSignedUploadUrl(key))
  assert.equal(path, key)
  assert.equal(succeed(await anon.from('own').uploadToSignedUrl(key, token, text('theirs'))).fullPath, `own/${key}`)
  assert.equal(await read(own.download(key)), 'theirs')
  assert.equal(succeed(await admin.from('own').remove([key]))[0].owner_id, user)
  succeed(await anon.from('own').uploadToSignedUrl(key, token, text('again')))
  refused(await anon.from('own').uploadToSignedUrl(key, token, text('and again')), 409)
  const upsert = succeed(await own.createSignedUploadUrl(key, { upsert: true }))
  succeed(await anon.from('own').uploadToSignedUrl(key, upsert.token, text('replaced')))
  refused(await own.createSignedUploadUrl('elsewhere/a'), 403)
  refused(await own.createSignedUploadUrl(key), 409)
  assert.equal((await fetch(`${base}/object/sign/own/${key}?token=${token}`)).status, 400)
})
