import { cleanQuery } from '@/lib/text'
import type { AdminTab } from './tabs'
import { adminTabs } from './tabs'

type Sort = { key: string; descending: boolean }

/** The search, filter and sort options of a list. */
export type ListKind = {
  tab: AdminTab
  /** The name of the filter in the URL, if there is one. */
  filter?: string
  /** The columns that can be sorted. */
  sorts: readonly string[]
  defaultSort: Sort
}

/** The state of a list, stored in the URL. '' means no restriction. */
export type ListState = { search: string; filter: string; sort: Sort; page: number }

/** Number of rows per page. */
export const adminPageSize = 20

/** Reads a list's state from the URL; invalid values are ignored. */
export function readList(params: URLSearchParams, kind: ListKind): ListState {
  const sort = params.get('sort') ?? ''
  const key = sort.replace(/^-/, '')
  const page = Number(params.get('page'))
  return {
    search: cleanQuery(params.get('q') ?? '').trim(),
    filter: (kind.filter && params.get(kind.filter)) ?? '',
    sort: kind.sorts.includes(key) ? { key, descending: sort !== key } : kind.defaultSort,
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  }
}

/** Returns the URL parameters of a list, without defaults. */
export function listParams(list: ListState, kind: ListKind): URLSearchParams {
  const params = new URLSearchParams()
  if (kind.tab !== adminTabs[0]) params.set('tab', kind.tab)
  if (list.search !== '') params.set('q', list.search)
  if (kind.filter && list.filter !== '') params.set(kind.filter, list.filter)
  const { key, descending } = list.sort
  const isDefault = key === kind.defaultSort.key && descending === kind.defaultSort.descending
  if (!isDefault) params.set('sort', `${descending ? '-' : ''}${key}`)
  if (list.page > 1) params.set('page', String(list.page))
  return params
}

/** Reports whether the list is searched or filtered. */
export function isNarrowed({ search, filter }: ListState): boolean {
  return search !== '' || filter !== ''
}
