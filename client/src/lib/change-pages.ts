import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Changes the pages of a list in the cache before the server has answered, and returns a function
 * that undoes that. A page that is being fetched meanwhile is kept: it brings the pages before it
 * along as they were, so they are changed again when it arrives.
 */
export async function changePages<T extends InfiniteData<unknown, unknown>>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (pages: T) => T,
): Promise<() => void> {
  const query = client.getQueryCache().find({ queryKey, exact: true })
  const next =
    query?.state.fetchStatus === 'fetching' && query.state.fetchMeta?.fetchMore
      ? query.promise
      : undefined
  if (!next) await client.cancelQueries({ queryKey })
  const before = client.getQueryData<T>(queryKey)
  const apply = () => client.setQueryData<T>(queryKey, (now) => now && change(now))
  apply()
  let isUndone = false
  next?.then(
    () => {
      if (!isUndone) apply()
    },
    () => undefined,
  )
  return () => {
    isUndone = true
    client.setQueryData<T>(
      queryKey,
      (now) => now && { ...now, pages: now.pages.map((page, at) => before?.pages[at] ?? page) },
    )
  }
}
