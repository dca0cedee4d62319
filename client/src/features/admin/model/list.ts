import { cleanQuery } from '@/lib/text'
import type { AdminTab } from './tabs'
import { adminTabs } from './tabs'

type Sort = { key: string; descending: boolean }

/** The search, filter and sort options of a list. */
export type ListKind = {
  tab: AdminTab
  /** The names of the filters in the URL. */
  filters?: readonly string[]
  /** The columns that can be sorted. */
  sorts: readonly string[]
  defaultSort: Sort
}

/** The state of a list, stored in the URL. '' means no restriction. */
export type ListState = {
  search: string
  filters: Readonly<Record<string, string>>
  sort: Sort
  page: number
  /** The id of the row that is open; '' for none. */
  row: string
}

/** Number of rows per page. */
export const adminPageSize = 20

/** Reads a list's state from the URL; invalid values are ignored. */
export function readList(params: URLSearchParams, kind: ListKind): ListState {
  const sort = params.get('sort') ?? ''
  const key = sort.replace(/^-/, '')
  const page = Number(params.get('page'))
  return {
    search: cleanQuery(params.get('q') ?? '').trim(),
    filters: filtersOf(kind, (name) => params.get(name) ?? ''),
    sort: kind.sorts.includes(key) ? { key, descending: sort !== key } : kind.defaultSort,
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
    // Older links highlight a row by its id (ROUTE-33); it is opened.
    row: params.get('row') ?? params.get('highlight') ?? '',
  }
}

function filtersOf({ filters = [] }: ListKind, value: (name: string) => string) {
  return Object.fromEntries(filters.map((name) => [name, value(name)]))
}

/** The change that shows the whole list. */
export function whole(kind: ListKind): Pick<ListState, 'search' | 'filters'> {
  return { search: '', filters: filtersOf(kind, () => '') }
}

/** Returns the URL parameters of a list, without defaults. */
export function listParams(list: ListState, kind: ListKind): URLSearchParams {
  const params = new URLSearchParams()
  if (kind.tab !== adminTabs[0]) params.set('tab', kind.tab)
  if (list.search !== '') params.set('q', list.search)
  for (const [name, value] of Object.entries(list.filters)) {
    if (value !== '') params.set(name, value)
  }
  const { key, descending } = list.sort
  const isDefault = key === kind.defaultSort.key && descending === kind.defaultSort.descending
  if (!isDefault) params.set('sort', `${descending ? '-' : ''}${key}`)
  if (list.page > 1) params.set('page', String(list.page))
  if (list.row !== '') params.set('row', list.row)
  return params
}

/** Returns the id of the open row if it must be fetched; '' if there is none or the page has it. */
export function rowToRead(
  { row }: ListState,
  page: { rows: readonly { id: string }[] } | undefined,
): string {
  return page?.rows.some(({ id }) => id === row) ? '' : row
}

/** Reports whether the list is searched or filtered. */
export function isNarrowed({ search, filters }: ListState): boolean {
  return search !== '' || Object.values(filters).some((value) => value !== '')
}
