// Contract: Buckets.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { admin, anon, ask, anonKey, failed, member, newUser, put, refused, succeed } from './kit.mjs'

const newBucket = async (options = {}) => {
  const name = `bucket-${randomUUID()}`
  succeed(await admin.createBucket(name, { public: false, ...options }))
  return name
}

test('a bucket is made, read, changed and deleted', async () => {
  const name = await newBucket({ fileSizeLimit: '1MB', allowedMimeTypes: ['image/*', 'text/plain'] })
  const made = succeed(await admin.getBucket(name))
  assert.equal(made.id, name)
  assert.equal(made.name, name)
  assert.equal(made.public, false)
  assert.equal(made.file_size_limit, 1_000_000)
  assert.deepEqual(made.allowed_mime_types, ['image/*', 'text/plain'])
  assert.match(made.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

  assert.deepEqual(succeed(await admin.updateBucket(name, { public: true, fileSizeLimit: null, allowedMimeTypes: null })), { message: 'Successfully updated' })
  const changed = succeed(await admin.getBucket(name))
  assert.equal(changed.public, true)
  assert.equal(changed.file_size_limit, null)
  assert.equal(changed.allowed_mime_types, null)

  assert.deepEqual(succeed(await admin.deleteBucket(name)), { message: 'Successfully deleted' })
  refused(await admin.getBucket(name), 404, 'Bucket not found')
})

test('omitted properties are not changed', async () => {
  const name = await newBucket({ fileSizeLimit: 100, allowedMimeTypes: ['text/plain'] })
  const answer = await ask('PUT', `/bucket/${name}`, { json: { public: true } })
  assert.equal(answer.status, 200)
  const found = succeed(await admin.getBucket(name))
  assert.equal(found.file_size_limit, 100)
  assert.deepEqual(found.allowed_mime_types, ['text/plain'])
})

test('a second bucket of a name is refused', async () => {
  const name = await newBucket()
  failed(await ask('POST', '/bucket', { json: { name } }), 400, 409, 'BucketAlreadyExists', 'The resource already exists')
})

test('a custom id', async () => {
  const id = `id-${randomUUID()}`
  const answer = await ask('POST', '/bucket', { json: { id, name: `name of ${id}` } })
  assert.deepEqual(answer.json, { name: `name of ${id}` })
  assert.equal((await ask('GET', `/bucket/${id}`)).json.name, `name of ${id}`)
})

for (const [name, code] of Object.entries({
  '': 'InvalidBucketName', ' a': 'InvalidBucketName', 'a ': 'InvalidBucketName', 'a/b': 'InvalidBucketName', 'ñ': 'InvalidBucketName',
  'a\\b': 'InvalidBucketName', 'a%2Fb': 'InvalidBucketName', 'a#b': 'InvalidBucketName', ['x'.repeat(101)]: 'InvalidBucketName', 'x--iceberg': 'InvalidBucketName',
})) {
  test(`no bucket is called ${JSON.stringify(name.slice(0, 12))}`, async () => {
    failed(await ask('POST', '/bucket', { json: { name } }), 400, 400, code, 'Bucket name invalid')
  })
}

for (const [what, json, statusCode, code] of [
  ['no name', {}, 400, 'InvalidRequest'],
  ['a limit above the server’s', { name: 'x', file_size_limit: 60_000_000 }, 413, 'EntityTooLarge'],
  ['a limit above the server’s, with a unit', { name: 'x', file_size_limit: '1GB' }, 413, 'EntityTooLarge'],
  ['a limit that is none', { name: 'x', file_size_limit: '1 elephant' }, 400, 'InvalidRequest'],
  ['a negative limit', { name: 'x', file_size_limit: -1 }, 400, 'InvalidRequest'],
  ['a type that is none', { name: 'x', allowed_mime_types: ['image'] }, 415, 'InvalidMimeType'],
  ['types that are no list', { name: 'x', allowed_mime_types: { a: 1 } }, 400, 'InvalidRequest'],
  ['an analytics bucket', { name: 'x', type: 'ANALYTICS' }, 409, 'FeatureNotEnabled'],
  ['an unknown type of bucket', { name: 'x', type: 'OTHER' }, 400, 'InvalidRequest'],
]) {
  test(`a bucket with ${what} is refused`, async () => failed(await ask('POST', '/bucket', { json }), 400, statusCode, code))
}

test('bodies that are no JSON objects', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const body of ['{"name"', '[]', '"x"', 'null', '']) failed(await ask('POST', '/bucket', { body, headers }), 400, 400, 'InvalidRequest')
  failed(await ask('POST', '/bucket', { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }), 400, 415, 'InvalidMimeType')
  failed(await ask('PUT', '/bucket/open', { json: {} }), 400, 400, 'InvalidRequest')
})

test('policies decide on buckets', async () => {
  const user = member(newUser())
  refused(await user.createBucket(`mine-${randomUUID()}`), 403, 'new row violates row-level security policy')
  assert.deepEqual(succeed(await anon.listBuckets()), [])
  assert.deepEqual(succeed(await user.listBuckets()), [])
  refused(await user.getBucket('open'), 404, 'Bucket not found')
  refused(await user.updateBucket('open', { public: false }), 404, 'Bucket not found')
  refused(await user.deleteBucket('shut'), 404, 'Bucket not found')
  failed(await ask('POST', '/bucket/shut/empty', { bearer: anonKey }), 403, 403, 'AccessDenied', 'Access denied: Invalid role')
})

test('buckets are listed by column, page and part of a name', async () => {
  const mark = randomUUID()
  for (const end of ['b', 'A', 'c']) await newBucket().then(() => ask('POST', '/bucket', { json: { name: `${mark}-${end}` } }))
  const list = async (query) => (await ask('GET', `/bucket?search=${mark}&${query}`)).json.map((bucket) => bucket.name.slice(-1)).join('')
  assert.equal(await list('sortColumn=created_at'), 'bAc')
  assert.equal(await list('sortColumn=created_at&sortOrder=desc'), 'cAb')
  assert.equal(await list('sortColumn=created_at&limit=1&offset=1'), 'A')
  assert.equal((await list('sortColumn=name')).length, 3)
  const [first] = (await ask('GET', '/bucket?limit=1')).json
  assert.equal(first.type, 'STANDARD')
  for (const query of ['limit=0', 'limit=x', 'offset=-1', 'sortColumn=owner', 'sortOrder=up']) {
    failed(await ask('GET', `/bucket?${query}`), 400, 400, 'InvalidRequest')
  }
  assert.deepEqual((await ask('GET', '/bucket?search=%25')).json, [])
})

test('a bucket with objects is emptied, and deleted only then', async () => {
  const name = await newBucket()
  for (const key of ['a', 'b/c']) assert.equal((await put(key, 'x', {}, name)).status, 200)
  failed(await ask('DELETE', `/bucket/${name}`), 400, 409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty')
  assert.deepEqual(succeed(await admin.emptyBucket(name)), { message: 'Empty bucket has been queued. Completion may take up to an hour.' })
  assert.deepEqual(succeed(await admin.from(name).list()), [])
  succeed(await admin.deleteBucket(name))
  failed(await ask('POST', `/bucket/${name}/empty`), 400, 404, 'NoSuchBucket')
})

test('the buckets that config.toml names are there', async () => {
  const found = succeed(await admin.getBucket('configured'))
  assert.equal(found.public, true)
  assert.equal(found.file_size_limit, 1024)
  assert.deepEqual(found.allowed_mime_types, ['text/plain'])
  assert.equal((await ask('GET', '/object/public/configured/deep/a.txt')).text, "from the project's folder")
  failed(await ask('POST', '/bucket', { json: { name: 'x', file_size_limit: 6_291_457 } }), 400, 413, 'EntityTooLarge')
})
