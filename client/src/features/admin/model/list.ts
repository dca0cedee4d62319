import { cleanQuery } from '@/lib/text'
import type { AdminTab } from './tabs'
import { adminTabs } from './tabs'

type Sort = { key: string; descending: boolean }

/** What a list of the panel can be asked. */
export type ListKind = {
  tab: AdminTab
  /** The name of the filter in the address, if there is one. */
  filter?: string
  /** The columns it can be sorted by. */
  sorts: readonly string[]
  defaultSort: Sort
}

/** What a list shows, as the address has it. '' asks for nothing. */
export type ListState = { search: string; filter: string; sort: Sort; page: number }

/** How many rows a page of the panel holds. */
export const adminPageSize = 20

/** Reads what a list shows from the address; what it cannot be is left out. */
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

/** The address of a list, without what goes without saying. */
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

/** Whether anything narrows the list down. */
export function isNarrowed({ search, filter }: ListState): boolean {
  return search !== '' || filter !== ''
}
