import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Navigate, useNavigationType } from 'react-router'
import { type Column, DataTable } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { pageCount } from '@/components/ui/page-count'
import { Pagination } from '@/components/ui/pagination'
import { countText } from '@/lib/formats'
import type { Page } from '@/lib/paged'
import { messages } from '../messages'
import { adminPageSize, isNarrowed, whole } from '../model/list'
import type { Chosen } from '../model/selection'
import type { ListAddress } from '../model/use-list'
import { ListSkeleton } from './list-skeleton'
import { SearchField } from './search-field'

type AdminListProps<Row extends { id: string }> = {
  words: { caption: string; text: string; pending: string; empty: string; searchLabel: string }
  errorTitle: string
  errorText?: string
  address: ListAddress
  query: UseQueryResult<Page<Row>>
  columns: readonly Column<Row>[]
  rowName: (row: Row) => string
  /** The number of rows per page; 20 by default. */
  pageSize?: number
  /** Between the title and the filters. */
  above?: ReactNode
  /** The filter next to the search. */
  filter?: ReactNode
  /** Actions for the whole list. */
  actions?: ReactNode
  selection?: {
    chosen: Chosen<Row>
    onToggle: (rows: readonly Row[], isSelected: boolean) => void
    isSelectable: (row: Row) => boolean
  }
  /** The result of a bulk action, between filters and table. */
  notice?: ReactNode
  /** What to do if there is no row at all: text and buttons below the empty list's title. */
  whenEmpty?: { text: string; action: ReactNode }
  /**
   * Incremented when a focused row was removed; the focus then moves to the count of remaining
   * rows.
   */
  removals: number
}

/** A list of the panel: title, search, filter, table, pagination. */
export function AdminList<Row extends { id: string }>(props: AdminListProps<Row>) {
  const { words, address, query, filter, actions, notice } = props
  const { list, change, hrefOf } = address
  const { data } = query
  const pageSize = props.pageSize ?? adminPageSize
  const pages = pageCount(data?.total ?? 0, pageSize)
  const count = useFocusOnChange(list.page, props.removals)
  // A page past the end (an old link, rows deleted since): show the last page.
  if (data && !query.isPlaceholderData && list.page > pages) {
    return <Navigate to={hrefOf(pages)} replace />
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h2 className="text-xl">{words.caption}</h2>
          <p className="text-sm text-muted">{words.text}</p>
        </div>
        {actions}
      </div>
      {props.above}
      <div className="flex flex-wrap gap-4">
        <SearchField
          label={words.searchLabel}
          value={list.search}
          onChange={(search) => change({ search })}
        />
        {filter}
      </div>
      {notice}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p
          ref={count}
          tabIndex={-1}
          className="nums min-h-5 scroll-mt-24 text-sm text-muted outline-none"
          role="status"
        >
          {data && !query.isPlaceholderData ? (
            rangeText(list.page, pageSize, data)
          ) : (
            <span className="sr-only">{query.isFetching && words.pending}</span>
          )}
        </p>
        <Rows {...props} />
      </div>
      <Pagination page={list.page} pages={pages} hrefOf={hrefOf} />
    </div>
  )
}

function Rows<Row extends { id: string }>(props: AdminListProps<Row>) {
  const { words, errorTitle, errorText, address, query, columns, rowName, selection, whenEmpty } =
    props
  const { kind, list, change } = address
  return (
    <QueryState
      query={query}
      pending={<ListSkeleton label={words.pending} />}
      errorTitle={errorTitle}
      {...(errorText !== undefined && { errorText })}
      isEmpty={({ rows }) => rows.length === 0}
      empty={
        <EmptyState
          title={words.empty}
          as="h3"
          {...(isNarrowed(list)
            ? {
                text: messages.noSuch,
                action: (
                  <Button variant="outline" onClick={() => change(whole(kind))}>
                    {messages.showAll}
                  </Button>
                ),
              }
            : whenEmpty)}
        />
      }
    >
      {({ rows }) => (
        <DataTable
          caption={words.caption}
          rows={rows}
          columns={columns}
          rowId={({ id }) => id}
          rowName={rowName}
          sort={list.sort}
          onSort={(sort) => change({ sort })}
          {...(selection && {
            selection: { ...selection, selected: new Set(selection.chosen.keys()) },
          })}
        />
      )}
    </QueryState>
  )
}

function rangeText(page: number, pageSize: number, { rows, total }: Page<unknown>): string {
  if (total === 0) return messages.none
  const from = (page - 1) * pageSize + 1
  return messages.range(countText(from), countText(from + rows.length - 1), countText(total))
}

/**
 * Moves the focus to the count after a page change or a removed row; Back restores its own focus.
 */
function useFocusOnChange(page: number, removals: number) {
  const count = useRef<HTMLParagraphElement>(null)
  const shown = useRef({ page, removals })
  const how = useNavigationType()
  useEffect(() => {
    const before = shown.current
    shown.current = { page, removals }
    if (before.removals !== removals) count.current?.focus()
    else if (before.page !== page && how === 'PUSH') {
      count.current?.focus({ preventScroll: true })
      count.current?.scrollIntoView()
    }
  }, [page, removals, how])
  return count
}
