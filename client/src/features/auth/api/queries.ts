import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { parseRole, type Role } from '@/lib/role'
import { db } from '@/lib/supabase'
import { authKeys } from './keys'

/** The user's account as the shell shows it. */
export type Account = {
  id: string
  name: string | null
  avatarUrl: string | null
  role: Role
  /** Signed up to sell and is not approved yet (S-01). */
  wantsToSell: boolean
}

/** The account of the signed-in user; null if no profile exists yet (AUTH-16). */
export const accountQuery = (userId: string) =>
  queryOptions({
    queryKey: authKeys.account(userId),
    queryFn: async ({ signal }): Promise<Account | null> => {
      const row = unwrap(
        await db
          .from('profiles')
          .select('full_name, avatar_url, role, wants_to_sell')
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
          wantsToSell: row.wants_to_sell === true,
        }
      )
    },
  })

/** Creates the user's profile if there is none (AUTH-16, S-02); it uses nothing but the session. */
export async function ensureProfile(): Promise<void> {
  unwrap(await db.rpc('ensure_profile'))
}
