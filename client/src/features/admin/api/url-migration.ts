import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import { containing } from '../model/ticket'
import { type MigratedRow, migrationBatch } from '../model/url-migration'
import { adminKeys } from './keys'
import { sharedList } from './list-options'

export type Unmigrated = {
  id: string
  name: string
  old_url: string
  new_url: string | null
  error: string | null
}

/** What the migration would do to the businesses that remain, in its order (ADMIN-MIGR-02). */
export const urlMigrationQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('url-migration', list),
    queryFn: ({ signal }) =>
      readPage<Unmigrated>(list.page, adminPageSize, (from, to) => {
        const all = db
          .from('url_migration_preview')
          .select('id, name, old_url, new_url, error', { count: 'exact' })
          .order('id')
        const failing = list.filters.state === 'errors' ? all.not('error', 'is', null) : all
        const found = list.search === '' ? failing : failing.ilike('name', containing(list.search))
        return found
          .range(from, to)
          .abortSignal(signal)
          .overrideTypes<Unmigrated[], { merge: false }>()
      }),
    ...sharedList,
  })

/** How many businesses there are, and how many have their new address (ADMIN-MIGR-01). */
export const urlTotalsQuery = queryOptions({
  queryKey: [...adminKeys.tab('url-migration'), 'totals'] as const,
  queryFn: async ({ signal }) =>
    unwrap(await db.rpc('admin_url_totals').abortSignal(signal).single()),
  staleTime: 0,
})

/** Migrates the next batch after a business (ADMIN-MIGR-05, ADMIN-MIGR-06). Errors: not_admin. */
export async function migrateUrls(after: string | null): Promise<MigratedRow[]> {
  return unwrap(
    await db.rpc('admin_migrate_urls', {
      p_limit: migrationBatch,
      ...(after !== null && { p_after: after }),
    }),
  )
}
