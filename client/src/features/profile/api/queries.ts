import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { profileKeys } from './keys'

/** What users can change in their profile. */
export type Profile = { fullName: string }

/** The user's stored profile. */
export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: profileKeys.own(userId),
    queryFn: async ({ signal }): Promise<Profile> => {
      const row = unwrap(
        await db.from('profiles').select('full_name').eq('id', userId).abortSignal(signal).single(),
      )
      return { fullName: row.full_name ?? '' }
    },
  })
