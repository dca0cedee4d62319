import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { parseRole, type Role } from '../model/role'
import { authKeys } from './keys'

/** One's own account as the shell shows it. */
export type Account = { id: string; name: string | null; avatarUrl: string | null; role: Role }

/** The account of the signed-in user; null when no profile exists yet (AUTH-16). */
export const accountQuery = (userId: string) =>
  queryOptions({
    queryKey: authKeys.account(userId),
    queryFn: async ({ signal }): Promise<Account | null> => {
      const row = unwrap(
        await db
          .from('account_profiles')
          .select('full_name, avatar_url, role')
          .eq('id', userId)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return (
        row && {
          id: userId,
          name: row.full_name,
          avatarUrl: row.avatar_url,
          role: parseRole(row.role),
        }
      )
    },
  })
