import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useNewest } from '@/lib/use-newest'
import { type ListKind, type ListState, listParams, readList } from './list'

/** What a list shows, kept in the address; a change of it begins at the first page. */
export function useList(kind: ListKind) {
  const [params, setParams] = useSearchParams()
  const { pathname, search: address } = useLocation()
  const list = readList(params, kind)
  const newest = useNewest(list, address)

  // A text that has rested asks late: it builds on what the address holds by then.
  const latest = useRef(newest)
  useEffect(() => {
    latest.current = newest
  })

  const change = (part: Partial<ListState>) => {
    const next = { ...latest.current.newest(), page: 1, ...part }
    latest.current.ask(next)
    // Each letter of a search is no step to go back to.
    setParams(listParams(next, kind), { preventScrollReset: true, replace: 'search' in part })
  }
  const hrefOf = (page: number) => {
    const query = listParams({ ...list, page }, kind).toString()
    return query === '' ? pathname : `${pathname}?${query}`
  }
  return { list, change, hrefOf }
}

export type ListAddress = ReturnType<typeof useList>
