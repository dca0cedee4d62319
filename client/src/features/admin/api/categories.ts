import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toAppError, unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { removeRow, type Saved, saveIfUnchanged } from '@/lib/rows'
import { db } from '@/lib/supabase'
import type { Category, CategoryForm } from '../model/category'
import { adminPageSize, type ListState } from '../model/list'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

const columns = 'id, name, icon, created_at'

/** A page of categories, filtered by name (ADMIN-CAT-01, API-36). */
export const categoriesQuery = ({ search, sort, page, ...list }: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('categories', { search, sort, page, ...list }),
    queryFn: ({ signal }) =>
      readPage(page, adminPageSize, (from, to) =>
        db
          .rpc('admin_categories', { p_search: search }, { get: true, count: 'exact' })
          .select(columns)
          .order(sort.key, { ascending: !sort.descending })
          .order('id')
          .range(from, to)
          .abortSignal(signal),
      ),
    ...sharedList,
  })

/** The number of businesses in a category. */
export const categoryUseQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.effects('categories', [id]),
    queryFn: async ({ signal }) => {
      const { count, error, status } = await db
        .from('business_categories')
        .select('category_id', { count: 'exact', head: true })
        .eq('category_id', id)
        .abortSignal(signal)
      if (error) throw toAppError(error, status)
      return count ?? 0
    },
    ...alwaysFresh,
  })

/** All categories by name, as targets for the businesses of a deleted one. */
export const categoryNamesQuery = queryOptions({
  queryKey: adminKeys.categoryNames,
  queryFn: async ({ signal }) =>
    unwrap(await db.from('categories').select('id, name').order('name').abortSignal(signal)),
  ...alwaysFresh,
})

async function read(id: string): Promise<Category | null> {
  return unwrap(await db.from('categories').select(columns).eq('id', id).maybeSingle())
}

async function save(typed: CategoryForm, before: Category | null): Promise<Saved<Category>> {
  const values = { name: typed.name, icon: typed.icon === '' ? null : typed.icon }
  if (before === null) {
    unwrap(await db.from('categories').insert(values))
    return { state: 'saved' }
  }
  const { id, name, icon } = before
  return saveIfUnchanged({
    write: async () => {
      const row = db.from('categories').update(values).eq('id', id).eq('name', name)
      return unwrap(
        await (icon === null ? row.is('icon', null) : row.eq('icon', icon)).select('id'),
      )
    },
    read: () => read(id),
    isAsBefore: (now) => now.name === name && now.icon === icon,
  })
}

/**
 * Adds a category, or saves it if it is unchanged since it was read. Errors: 23505 for a name that
 * is taken.
 */
export function useSaveCategory() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ typed, before }: { typed: CategoryForm; before: Category | null }) =>
      save(typed, before),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('categories') }),
  })
}

/**
 * Deletes a category, after moving its businesses to another one if given. Returns the number of
 * moved businesses, or null if it was already deleted. Errors: 23503 while businesses are in it,
 * category_not_found.
 */
export function useDeleteCategory() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, moveTo }: { id: string; moveTo: string | null }) => {
      if (moveTo !== null) {
        const ids = { p_category_id: id, p_replacement_id: moveTo }
        return unwrap(await db.rpc('admin_replace_category', ids))
      }
      const isDeleted = await removeRow({
        remove: async () => unwrap(await db.from('categories').delete().eq('id', id).select('id')),
        read: () => read(id),
      })
      return isDeleted ? 0 : null
    },
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('categories') }),
  })
}
