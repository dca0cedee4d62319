// Transactions over HTTP, through docs/transaction.ts and unmodified builders of supabase-js. The
// server rolls back at the end (see kit.mjs).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { result, transaction } from '../../../docs/transaction.ts'
import { asAna, client, send, text } from './kit.mjs'

const db = () => client().schema('public')

describe('a transaction', () => {
  test('takes values of earlier answers into bodies and filters', async () => {
    const { data, error } = await transaction(db(), (tx) => [
      tx.from('authors').insert({ name: 'Víctor Català' }).select('id, name').single(),
      tx.from('books').insert({ id: 99, title: 'Solitud', author_id: result('/0/body/id') }).select('title, authors!author_id(name)').single(),
      tx.from('books').select('title', { count: 'exact' }).eq('author_id', result('/0/body/id')),
      tx.from('books').update({ title: result('/0/body/name') }).eq('id', 99).select('title'),
      tx.from('books').select('*', { count: 'exact', head: true }).in('id', [1, 2]),
      tx.from('subjects').select('name').order('id').limit(1).csv(),
      tx.from('books').delete().eq('id', 99),
    ])
    assert.equal(error, null)
    const [author, book, books, renamed, head, csv, deleted] = data
    assert.equal(author.name, 'Víctor Català')
    assert.equal(typeof author.id, 'number')
    assert.deepEqual(book, { title: 'Solitud', authors: { name: 'Víctor Català' } })
    assert.deepEqual(books, [{ title: 'Solitud' }])
    assert.deepEqual(renamed, [{ title: 'Víctor Català' }])
    assert.equal(head, null)
    assert.match(csv, /^name\n/)
    assert.equal(deleted, null)
  })

  test('reports which request failed, and rolls back', async () => {
    const { data, error } = await transaction(db(), (tx) => [
      tx.from('subjects').insert({ id: 98, name: 'Rain' }),
      tx.from('subjects').insert({ id: 98, name: 'Rain again' }),
      tx.from('subjects').insert({ id: 97, name: 'Never tried' }),
    ])
    assert.equal(data, null)
    assert.equal(error.code, '23505')
    assert.equal(error.request, 1)
    const { data: left } = await client().from('subjects').select('id').in('id', [97, 98])
    assert.deepEqual(left, [])
  })

  test('runs under the isolation asked for', async () => {
    const { error, data } = await transaction(db(), (tx) => [tx.from('subjects').select('id').limit(1)], { isolation: 'serializable' })
    assert.equal(error, null)
    assert.equal(data[0].length, 1)
  })

  test('is PostgREST’s 405 under another media type', async () => {
    const answer = await send('POST /', { as: asAna, body: [] })
    assert.equal(answer.status, 405, text(answer))
  })
})
