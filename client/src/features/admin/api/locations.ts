import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { removeRow, type Saved, saveIfUnchanged } from '@/lib/rows'
import { db } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import type { Location, LocationForm } from '../model/location'
import { adminKeys } from './keys'
import { sharedList } from './list-options'

const columns = 'id, original, slug, created_at'

/**
 * A page of locations: the url_mappings of that type, filtered by name (ADMIN-LOC-01, ADMIN-LOC-08,
 * API-37).
 */
export const locationsQuery = ({ search, sort, page, ...list }: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('locations', { search, sort, page, ...list }),
    queryFn: ({ signal }) =>
      readPage(page, adminPageSize, (from, to) =>
        db
          .rpc('admin_locations', { p_search: search }, { get: true, count: 'exact' })
          .select(columns)
          .order(sort.key, { ascending: !sort.descending })
          .order('id')
          .range(from, to)
          .abortSignal(signal),
      ),
    ...sharedList,
  })

async function read(id: string): Promise<Location | null> {
  return unwrap(await db.from('url_mappings').select(columns).eq('id', id).maybeSingle())
}

async function save(values: LocationForm, before: Location | null): Promise<Saved<Location>> {
  if (before === null) {
    // The database generates an omitted slug.
    unwrap(await db.from('url_mappings').insert({ type: 'location', ...values }))
    return { state: 'saved' }
  }
  const { id, original, slug } = before
  return saveIfUnchanged({
    write: async () =>
      unwrap(
        await db
          .from('url_mappings')
          .update(values)
          .eq('id', id)
          .eq('original', original)
          .eq('slug', slug)
          .select('id'),
      ),
    read: () => read(id),
    isAsBefore: (now) => now.original === original && now.slug === slug,
  })
}

/**
 * Adds a location, or saves it if it is unchanged since it was read. Errors: 23505 for a name or
 * slug that is taken.
 */
export function useSaveLocation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ typed, before }: { typed: LocationForm; before: Location | null }) =>
      save(typed, before),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('locations') }),
  })
}

/** Deletes a location; returns false if it was already deleted. */
export function useDeleteLocation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      removeRow({
        remove: async () =>
          unwrap(await db.from('url_mappings').delete().eq('id', id).select('id')),
        read: () => read(id),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('locations') }),
  })
}
