import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from './query-state'
import { Button } from './ui/button'

type PagedListProps<T> = {
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly T[] }>>
  /** A skeleton shaped like the list. */
  pending: ReactNode
  /** Shown instead of an empty list: usually an EmptyState. */
  empty: ReactNode
  words: { error: string; more: string; moreError: string }
  /** Spacing between the items. */
  className: string
  children: (item: T) => ReactNode
}

/** A list that loads page by page, with a button for the next page below it. */
export function PagedList<T extends { id: string }>({
  query,
  pending,
  empty,
  words,
  className,
  children,
}: PagedListProps<T>) {
  return (
    <>
      <QueryState
        query={query}
        pending={pending}
        errorTitle={words.error}
        isEmpty={({ pages }) => pages.every((page) => page.items.length === 0)}
        empty={empty}
      >
        {({ pages }) => (
          <ul className={className}>
            {pages
              .flatMap((page) => page.items)
              .map((item) => (
                <li key={item.id}>{children(item)}</li>
              ))}
          </ul>
        )}
      </QueryState>
      {query.hasNextPage && (
        <div className="mt-6 grid justify-items-center gap-2">
          {query.isFetchNextPageError && (
            <p role="alert" className="text-sm text-danger">
              {words.moreError}
            </p>
          )}
          <Button
            variant="outline"
            pending={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.more}
          </Button>
        </div>
      )}
    </>
  )
}
