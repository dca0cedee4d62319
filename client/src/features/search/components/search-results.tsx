import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Navigate, useNavigationType } from 'react-router'
import { Deferred } from '@/components/deferred'
import { lazyPart } from '@/components/lazy-part'
import { QueryState } from '@/components/query-state'
import { pageCount } from '@/components/ui/page-count'
import { SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { cn } from '@/lib/cn'
import { messages } from '../messages'

// It is below the results, so it may load with them.
const Pagination = lazyPart(async () => (await import('@/components/ui/pagination')).Pagination)

type SearchResultsProps<Row extends { id: string }> = {
  query: UseQueryResult<{ rows: Row[]; total: number }>
  title: string
  page: number
  pageSize: number
  /** Content next to the list on wide screens. */
  beside?: ReactNode
  /** On narrow screens it replaces the list. */
  isBesideAlone?: boolean
  hrefOf: (page: number) => string
  empty: ReactNode
  /** Shown below the count. */
  note?: ReactNode
  skeleton: ReactNode
  children: (row: Row) => ReactNode
}

const list = 'grid gap-y-6'
// On a phone's first screen.
const nearRows = 3

/** Title, count, the rows of a page and the pagination. */
export function SearchResults<Row extends { id: string }>({
  query,
  title,
  page,
  pageSize,
  beside,
  isBesideAlone = false,
  hrefOf,
  empty,
  note,
  skeleton,
  children,
}: SearchResultsProps<Row>) {
  const heading = useScrollOnPage(page)
  useErrorToast(query.isError && query.data === undefined)
  const { data } = query
  const pages = pageCount(data?.total ?? 0, pageSize)
  // A page past the end (an old link, a filter set since): show the last page.
  if (data && !query.isPlaceholderData && data.total > 0 && page > pages) {
    return <Navigate to={hrefOf(pages)} replace />
  }
  return (
    <section aria-labelledby="results" className="grid gap-6">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2
          id="results"
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-36 text-xl outline-none [overflow-wrap:anywhere]"
        >
          {title}
        </h2>
        <div className="grid basis-full gap-1 sm:basis-auto" role="status">
          <p className="nums min-h-5 text-sm text-muted">
            {data && !query.isPlaceholderData
              ? data.total > 0 && messages.showing(data.rows.length, data.total, page, pages)
              : query.isFetching && <span className="sr-only">{messages.loading}</span>}
          </p>
          {data && data.total > 0 && note}
        </div>
      </div>
      <div
        className={
          beside
            ? 'grid gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_32rem]'
            : ''
        }
      >
        <div className={cn('grid content-start gap-6', isBesideAlone && 'max-lg:hidden')}>
          <QueryState
            query={query}
            errorTitle={messages.errorTitle}
            errorText={messages.errorText}
            isEmpty={({ rows }) => rows.length === 0}
            empty={empty}
            pending={
              <SkeletonGroup label={messages.loading} className={list}>
                {Array.from({ length: pageSize / 2 }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
                  <div key={index}>{skeleton}</div>
                ))}
              </SkeletonGroup>
            }
          >
            {({ rows }) => (
              <ul className={list}>
                {rows.map((row, index) => (
                  <Deferred
                    key={row.id}
                    isNear={index < nearRows}
                    room={<li className="min-h-40" aria-hidden />}
                  >
                    <li
                      data-result={row.id}
                      className="rounded-card data-picked:outline-2 data-picked:outline-offset-8 data-picked:outline-line"
                    >
                      {children(row)}
                    </li>
                  </Deferred>
                ))}
              </ul>
            )}
          </QueryState>
          {pages > 1 && (
            <Suspense fallback={<div className="h-11" />}>
              <Pagination page={page} pages={pages} hrefOf={hrefOf} />
            </Suspense>
          )}
        </div>
        {beside}
      </div>
    </section>
  )
}

/**
 * A page change scrolls to its results and focuses them (SEARCH-08); Back restores its own
 * position.
 */
function useScrollOnPage(page: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(page)
  const how = useNavigationType()
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    if (how !== 'PUSH') return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView()
  }, [page, how])
  return heading
}

/** Shows a toast once when a search failed (SEARCH-19, ERR-44); the page shows the failure, too. */
function useErrorToast(failed: boolean): void {
  useEffect(() => {
    if (!failed) return
    showToast({ title: messages.errorToast, text: messages.errorToastText, tone: 'danger' })
  }, [failed])
}
