import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import type { Page } from '@/lib/paged'
import { parseRole, type Role } from '@/lib/role'
import { db } from '@/lib/supabase'
import { runBulk } from '../model/bulk'
import { adminPageSize, type ListState } from '../model/list'
import { roleFrom, type User, userOrder } from '../model/user'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

/** A page of users, filtered by name or display id and role (ADMIN-USERS-08, API-32). */
export const usersQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('users', list),
    queryFn: async ({ signal }): Promise<Page<User>> => {
      const role = roleFrom(list.filters.role ?? '')
      const rows = unwrap(
        await db
          .rpc(
            'admin_users',
            {
              p_search: list.search,
              ...(role && { p_role: role }),
              p_order: userOrder(list.sort),
              p_page: list.page,
              p_page_size: adminPageSize,
            },
            { get: true },
          )
          .abortSignal(signal),
      )
      return {
        total: rows[0]?.total ?? 0,
        rows: rows.map((row) => ({
          id: row.id,
          // May be null, which the generated type of a function's result cannot express.
          name: row.full_name,
          avatarUrl: row.avatar_url,
          role: parseRole(row.role),
          displayId: row.display_id,
          createdAt: row.created_at,
        })),
      }
    },
    ...sharedList,
  })

/** Counts what depends on accounts, before they are deleted. */
export const userEffectsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: adminKeys.effects('users', ids),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .rpc('admin_user_effects', { p_user_ids: [...ids] })
          .abortSignal(signal)
          .single(),
      ),
    ...alwaysFresh,
  })

const idsOf = (users: readonly User[]) => users.map(({ id }) => id)

/**
 * Sets the role of users (ADMIN-USERS-11). Errors: own_role, last_admin, not_admin; then nothing is
 * changed.
 */
export function useSetRole() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ users, role }: { users: readonly User[]; role: Role }) =>
      runBulk(idsOf(users), async (ids) =>
        unwrap(await db.rpc('admin_set_role', { p_user_ids: ids, p_role: role })),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('users') }),
  })
}

/**
 * Deletes accounts permanently (ADMIN-USERS-12, C-17). Errors: own_account, last_admin, not_admin.
 */
export function useDeleteUsers() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (users: readonly User[]) =>
      runBulk(idsOf(users), async (ids) =>
        unwrap(await db.rpc('admin_delete_user', { p_user_ids: ids })),
      ),
    // Their businesses no longer have an owner.
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.all }),
  })
}
