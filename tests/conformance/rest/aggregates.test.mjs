// Aggregates, which this server's settings allow.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, client } from './kit.mjs'

describe('aggregates', () => {
  cases([
    ['count of rows', '/books?select=count()', {}, [{ count: 6 }]],
    ['count of values', '/books?select=pages.count()', {}, [{ count: 5 }]],
    ['sum, avg, min and max', '/books?select=sum:pages.sum(),average:pages.avg(),least:pages.min(),most:pages.max()', {},
      [{ sum: 1452, average: 290.4, least: 96, most: 408 }]],
    ['the names they have on their own', '/books?select=pages.max(),price.sum()', {}, [{ max: 408, sum: 78.35 }]],
    ['grouped by the other columns', '/books?select=genre,count(),pages.max()&order=genre', {},
      [{ genre: 'novel', count: 3, max: 408 }, { genre: 'poetry', count: 1, max: 96 }, { genre: 'essay', count: 1, max: 305 }, { genre: 'comics', count: 1, max: null }]],
    ['casts before and after', '/books?select=whole:price::integer.sum(),text:pages.sum()::text', {}, [{ whole: 79, text: '1452' }]],
    ['of a JSON path', '/books?select=stars:details->stars::int.sum()', {}, [{ stars: 20 }]],
    ['of filtered rows', '/books?select=count()&genre=eq.novel', {}, [{ count: 3 }]],
    ['inside an embed', '/members?select=name,loans(count())&order=id', {},
      [{ name: 'Ana', loans: [{ count: 2 }] }, { name: 'Ben', loans: [{ count: 1 }] }, { name: 'Cruz', loans: [{ count: 0 }] }]],
    ['inside an embed, grouped', '/publishers?select=name,books(genre,pages.sum())&id=eq.1', {}, [{ name: 'Club Editor', books: [{ genre: 'novel', sum: 664 }] }]],
    ['of a spread to one', '/loans?select=...members(name),renewals.sum()&order=members(name)', {}, [{ name: 'Ana', sum: 2 }, { name: 'Ben', sum: 1 }]],
    ['on a function\'s rows', '/rpc/longer_than?min_pages=300&select=count()', {}, [{ count: 3 }]],
    ['an aggregate that is none', '/books?select=pages.median()', {}, { status: 400, error: 'PGRST100' }],
  ])
  test('postgrest-js', async () => {
    const { data, error } = await client().from('books').select('genre, longest:pages.max()').eq('genre', 'novel')
    assert.equal(error, null)
    assert.deepEqual(data, [{ genre: 'novel', longest: 408 }])
  })
})
