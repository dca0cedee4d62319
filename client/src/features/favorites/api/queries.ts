import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { favoriteKeys } from './keys'

/** Whether a business is a user's favourite (FAV-04). */
export const favoriteQuery = (userId: string, businessId: string) =>
  queryOptions({
    queryKey: favoriteKeys.one(userId, businessId),
    queryFn: async ({ signal }) => {
      const row = unwrap(
        await db
          .from('favorites')
          .select('id')
          .eq('user_id', userId)
          .eq('business_id', businessId)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return row !== null
    },
  })
