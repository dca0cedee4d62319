import { type InfiniteData, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { changePages } from './change-pages'

type Pages = InfiniteData<string[], number>

const queryKey = ['list']
const upper = (pages: Pages): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => page.map((item) => item.toUpperCase())),
})

/** A list with a page, and its second page on the way. */
async function twoPages() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const second = Promise.withResolvers<string[]>()
  const list = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: ({ pageParam }) => (pageParam === 0 ? Promise.resolve(['a', 'b']) : second.promise),
    initialPageParam: 0,
    getNextPageParam: (_page, all: string[][]) => all.length,
    staleTime: Number.POSITIVE_INFINITY,
  })
  list.subscribe(() => undefined)
  await expect.poll(() => client.getQueryData<Pages>(queryKey)?.pages).toEqual([['a', 'b']])
  const next = list.fetchNextPage()
  const pages = () => client.getQueryData<Pages>(queryKey)?.pages
  return { client, second, next, pages }
}

it('keeps a page that is being fetched, and the change in the pages before it', async () => {
  const { client, second, next, pages } = await twoPages()
  await changePages<Pages>(client, queryKey, upper)
  expect(pages()).toEqual([['A', 'B']])
  second.resolve(['c'])
  await next
  await expect.poll(pages).toEqual([['A', 'B'], ['C']])
})

it('undoes a change without losing a page that has arrived since', async () => {
  const { client, second, next, pages } = await twoPages()
  const undo = await changePages<Pages>(client, queryKey, upper)
  second.resolve(['c'])
  await next
  await expect.poll(pages).toEqual([['A', 'B'], ['C']])
  undo()
  expect(pages()).toEqual([['a', 'b'], ['C']])
})

it('undone before the page arrives, the page changes nothing', async () => {
  const { client, second, next, pages } = await twoPages()
  const undo = await changePages<Pages>(client, queryKey, upper)
  undo()
  second.resolve(['c'])
  await next
  expect(pages()).toEqual([['a', 'b'], ['c']])
})
