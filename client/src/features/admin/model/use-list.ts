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

  const apply = (change: ListChange) => {
    const before = latest.current.newest()
    const next = { ...before, ...change, filters: { ...before.filters, ...change.filters } }
    latest.current.ask(next)
    // Typing in the search replaces the history entry.
    setParams(listParams(next, kind), { preventScrollReset: true, replace: 'search' in change })
  }
  const hrefOf = (page: number) => {
    const query = listParams({ ...list, page }, kind).toString()
    return query === '' ? pathname : `${pathname}?${query}`
  }
  return {
    kind,
    list,
    change: (part: ListChange) => apply({ page: 1, row: '', ...part }),
    hrefOf,
    /** Opens a row, so that its address can be shared and Back closes it; '' closes it. */
    open: (row: string) => apply({ row }),
  }
}

export type ListAddress = ReturnType<typeof useList>
