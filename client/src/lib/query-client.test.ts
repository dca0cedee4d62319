import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { createQueryClient } from './query-client'

/** A query whose reads return when they are told to. */
function heldQuery() {
  const reads: ((value: string) => void)[] = []
  const queryFn = vi.fn(() => new Promise<string>((done) => reads.push(done)))
  return { queryKey: ['held'], queryFn, reads }
}

for (const shown of [true, false]) {
  it(`a first read that began before a write is not taken for its result (${shown ? 'on a screen' : 'in advance'})`, async () => {
    const client = createQueryClient()
    const { reads, ...query } = heldQuery()
    if (shown) new QueryObserver(client, query).subscribe(() => {})
    const read = client.ensureQueryData(query)
    void client.invalidateQueries({ queryKey: query.queryKey })
    await vi.waitFor(() => expect(reads).toHaveLength(2))
    reads[0]?.('before')
    reads[1]?.('after')
    await expect(read).resolves.toBe('after')
    expect(client.getQueryData(query.queryKey)).toBe('after')
  })
}

it('a read on a screen that has a result is made once more, not twice', async () => {
  const client = createQueryClient()
  const { reads, ...query } = heldQuery()
  client.setQueryData(query.queryKey, 'old')
  new QueryObserver(client, { ...query, staleTime: 0 }).subscribe(() => {})
  expect(reads).toHaveLength(1)
  void client.invalidateQueries({ queryKey: query.queryKey })
  reads[0]?.('before')
  reads[1]?.('after')
  await vi.waitFor(() => expect(client.getQueryData(query.queryKey)).toBe('after'))
  expect(query.queryFn).toHaveBeenCalledTimes(2)
})

it('a page that is being added to a list is kept, and the list read again after it', async () => {
  const client = createQueryClient()
  const reads: ((value: string) => void)[] = []
  const queryFn = vi.fn(
    (_: { pageParam: number }) => new Promise<string>((done) => reads.push(done)),
  )
  const list = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn,
    initialPageParam: 0,
    getNextPageParam: (_, all) => (all.length < 2 ? all.length : null),
  })
  list.subscribe(() => {})
  reads[0]?.('first')
  await vi.waitFor(() => expect(list.getCurrentResult().hasNextPage).toBe(true))

  void list.fetchNextPage()
  await vi.waitFor(() => expect(reads).toHaveLength(2))
  const again = client.invalidateQueries({ queryKey: ['list'] }, { cancelRefetch: true })
  reads[1]?.('second')
  await vi.waitFor(() => expect(reads).toHaveLength(3))
  expect(list.getCurrentResult().data?.pages).toEqual(['first', 'second'])
  reads[2]?.('first, later')
  await vi.waitFor(() => expect(reads).toHaveLength(4))
  reads[3]?.('second, later')
  await again
  expect(list.getCurrentResult().data?.pages).toEqual(['first, later', 'second, later'])
})
