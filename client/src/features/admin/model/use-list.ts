import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useNewest } from '@/lib/use-newest'
import { type ListKind, type ListState, listParams, readList } from './list'

/** A change of a list: filters that are not named stay. */
export type ListChange = Partial<ListState>

/** The state of a list, stored in the URL; any change returns to the first page. */
export function useList(kind: ListKind) {
  const [params, setParams] = useSearchParams()
  const { pathname, search: address } = useLocation()
  const list = readList(params, kind)
  const newest = useNewest(list, address)

  // A debounced text is applied late: it builds on the URL's state at that time.
  const latest = useRef(newest)
  useEffect(() => {
    latest.current = newest
  })

  const apply = (change: ListChange, replace: boolean) => {
    const before = latest.current.newest()
    const next = { ...before, ...change, filters: { ...before.filters, ...change.filters } }
    latest.current.ask(next)
    setParams(listParams(next, kind), { preventScrollReset: true, replace })
  }
  const hrefOf = (page: number) => {
    const query = listParams({ ...list, page }, kind).toString()
    return query === '' ? pathname : `${pathname}?${query}`
  }
  return {
    kind,
    list,
    // Typing in the search replaces the history entry.
    change: (part: ListChange) => apply({ page: 1, row: '', ...part }, 'search' in part),
    hrefOf,
    /** Opens a row, so that its address can be shared and Back closes it; '' closes it. */
    open: (row: string) => {
      if (row !== list.row) apply({ row }, row === '')
    },
  }
}

export type ListAddress = ReturnType<typeof useList>
