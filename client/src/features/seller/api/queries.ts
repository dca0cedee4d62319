import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { sellerKeys } from './keys'

/** The user's latest application; null if there is none (API-29). */
export const applicationQuery = (userId: string) =>
  queryOptions({
    queryKey: sellerKeys.application(userId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('seller_applications')
          .select(
            'status, business_name, business_type, business_description, location, created_at',
          )
          .eq('user_id', userId)
          // Admins can also see superseded ones.
          .is('superseded_at', null)
          .abortSignal(signal)
          .maybeSingle(),
      ),
    // Somebody else may decide it at any moment.
    staleTime: 0,
    refetchOnWindowFocus: true,
  })

export type Application = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof applicationQuery>['queryFn']>>>
>
