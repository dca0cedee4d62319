import type { ListState } from '../model/list'
import type { AdminTab } from '../model/tabs'

export const adminKeys = {
  all: ['admin'] as const,
  tab: (tab: AdminTab) => [...adminKeys.all, tab] as const,
  list: (tab: AdminTab, { search, filters, sort, page }: ListState) =>
    [...adminKeys.tab(tab), 'list', { search, filters, sort, page }] as const,
  row: (tab: AdminTab, id: string) => [...adminKeys.tab(tab), 'row', id] as const,
  documents: (claimId: string) => [...adminKeys.tab('claims'), 'documents', claimId] as const,
  effects: (tab: AdminTab, ids: readonly string[]) =>
    [...adminKeys.tab(tab), 'effects', ids] as const,
  totals: ['admin', 'totals'] as const,
  queue: ['admin', 'queue'] as const,
  testTools: ['admin', 'test-tools', 'state'] as const,
  testUsers: ['admin', 'test-users', 'list'] as const,
  types: ['admin', 'types'] as const,
  categoryNames: ['admin', 'categories', 'names'] as const,
}
