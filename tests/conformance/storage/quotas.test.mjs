// Contract: Quotas, through storage-js: each user has 1000 bytes and 3 objects in "little".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, failed, member, newKey, newUser, refused, succeed, userToken } from './kit.mjs'

const bytes = (size) => new Blob(['x'.repeat(size)], { type: 'text/plain' })

/** A new user's folder of the bucket. */
const place = () => {
  const user = newUser()
  const little = member(user).from('little')
  return { user, little, key: () => `${user}/${newKey()}` }
}
const full = (result) => refused(result, 413)

test('objects up to their number, and no more until one goes', async () => {
  const { little, key } = place()
  const first = key()
  for (const path of [first, key(), key()]) succeed(await little.upload(path, bytes(1)))
  const refusal = await little.upload(key(), bytes(1))
  full(refusal)
  assert.match(refusal.error.message, /quota/i)
  assert.equal(succeed(await little.list(first.split('/')[0])).length, 3)

  full(await little.copy(first, key()))
  const moved = key()
  succeed(await little.move(first, moved))
  full(await little.upload(key(), bytes(1)))
  succeed(await little.remove([moved]))
  succeed(await little.upload(key(), bytes(1)))
})

test('bytes up to their number; a smaller version gives back', async () => {
  const { little, key } = place()
  const path = key()
  succeed(await little.upload(path, bytes(900)))
  full(await little.upload(key(), bytes(101)))
  full(await little.update(path, bytes(1001)))
  assert.equal(succeed(await little.info(path)).size, 900)
  succeed(await little.update(path, bytes(100)))
  succeed(await little.upload(key(), bytes(900)))
})

test('usage of one user does not count for another', async () => {
  const [one, other] = [place(), place()]
  succeed(await one.little.upload(one.key(), bytes(1000)))
  succeed(await other.little.upload(other.key(), bytes(1000)))
})

test('uploads at once do not pass it together', async () => {
  const { little, key } = place()
  const results = await Promise.all(Array.from({ length: 12 }, () => little.upload(key(), bytes(1))))
  assert.equal(results.filter(({ error }) => !error).length, 3)
  results.filter(({ error }) => error).forEach(full)
})

test('a signed upload counts for the signer', async () => {
  const { little, key } = place()
  succeed(await little.upload(key(), bytes(950)))
  const { path, token } = succeed(await little.createSignedUploadUrl(key()))
  full(await little.uploadToSignedUrl(path, token, bytes(100)))
  succeed(await little.uploadToSignedUrl(path, token, bytes(50)))
})

test('a resumable upload is refused by its length, before it begins', async () => {
  const { user, little, key } = place()
  const meta = (name, value) => `${name} ${Buffer.from(value).toString('base64')}`
  const create = (length) =>
    ask('POST', '/upload/resumable', {
      bearer: userToken(user),
      headers: { 'tus-resumable': '1.0.0', 'upload-length': String(length), 'upload-metadata': [meta('bucketName', 'little'), meta('objectName', key()), meta('contentType', 'text/plain')].join() },
    })
  assert.equal((await create(1001)).status, 413)
  assert.equal((await create(600)).status, 201)
  full(await little.upload(key(), bytes(500))) // an upload in progress counts with its full size
})

test('the refusal is whole, as all of storage are', async () => {
  const { user, key } = place()
  const answer = await ask('POST', `/object/little/${key()}`, { bearer: userToken(user), body: 'x'.repeat(1001), headers: { 'content-type': 'text/plain' } })
  failed(answer, 400, 413, 'QuotaExceeded')
})
