import type { ListState } from '../model/list'
import type { AdminTab } from '../model/tabs'

export const adminKeys = {
  all: ['admin'] as const,
  tab: (tab: AdminTab) => [...adminKeys.all, tab] as const,
  list: (tab: AdminTab, list: ListState) => [...adminKeys.tab(tab), 'list', list] as const,
  effects: (tab: AdminTab, ids: readonly string[]) =>
    [...adminKeys.tab(tab), 'effects', ids] as const,
  totals: ['admin', 'totals'] as const,
  types: ['admin', 'types'] as const,
  categoryNames: ['admin', 'categories', 'names'] as const,
}
