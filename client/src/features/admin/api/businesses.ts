import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { removeRow } from '@/lib/rows'
import { db } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

const columns = 'id, display_id, name, type, location, created_at, owner:profiles(id, full_name)'

function request({ search, filters, sort }: ListState) {
  const { type = '' } = filters
  const terms = { p_search: search, ...(type !== '' && { p_type: type }) }
  return db
    .rpc('admin_businesses', terms, { get: true, count: 'exact' })
    .select(columns)
    .order(sort.key, { ascending: !sort.descending })
    .order('id')
}

/** A page of businesses, filtered by name or display id and type (ADMIN-BIZ-01, API-34). */
export const businessesQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('businesses', list),
    queryFn: ({ signal }) =>
      readPage(list.page, adminPageSize, (from, to) =>
        request(list).range(from, to).abortSignal(signal),
      ),
    ...sharedList,
  })

export type AdminBusiness = Awaited<
  ReturnType<NonNullable<ReturnType<typeof businessesQuery>['queryFn']>>
>['rows'][number]

/** The distinct types of businesses (ADMIN-BIZ-01). */
export const businessTypesQuery = queryOptions({
  queryKey: adminKeys.types,
  queryFn: async ({ signal }) => {
    const rows = unwrap(
      await db.rpc('admin_business_types', undefined, { get: true }).abortSignal(signal),
    )
    return rows.map(({ type }) => type)
  },
})

/** Counts what is deleted with a business, before it is deleted. */
export const businessEffectsQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.effects('businesses', [id]),
    queryFn: async ({ signal }) =>
      unwrap(
        await db.rpc('admin_business_effects', { p_business_id: id }).abortSignal(signal).single(),
      ),
    ...alwaysFresh,
  })

/**
 * Deletes a business with everything that belongs to it (ADMIN-BIZ-03, API-35); returns false if it
 * was already deleted.
 */
export function useDeleteBusiness() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      removeRow({
        remove: async () => unwrap(await db.from('businesses').delete().eq('id', id).select('id')),
        read: async () =>
          unwrap(await db.from('businesses').select('id').eq('id', id).maybeSingle()),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.all }),
  })
}
