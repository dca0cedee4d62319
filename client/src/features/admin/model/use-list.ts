import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useNewest } from '@/lib/use-newest'
import { type ListKind, type ListState, listParams, readList } from './list'

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

  const change = (part: Partial<ListState>) => {
    const next = { ...latest.current.newest(), page: 1, ...part }
    latest.current.ask(next)
    // Typing in the search replaces the history entry.
    setParams(listParams(next, kind), { preventScrollReset: true, replace: 'search' in part })
  }
  const hrefOf = (page: number) => {
    const query = listParams({ ...list, page }, kind).toString()
    return query === '' ? pathname : `${pathname}?${query}`
  }
  return { list, change, hrefOf }
}

export type ListAddress = ReturnType<typeof useList>
