import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { sellerKeys } from './keys'

/** Somebody's latest application; null when there is none (API-29). */
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
          // An admin may see earlier ones, too.
          .is('superseded_at', null)
          .abortSignal(signal)
          .maybeSingle(),
      ),
    // It is decided at any moment, by somebody else.
    staleTime: 0,
    refetchOnWindowFocus: true,
  })

export type Application = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof applicationQuery>['queryFn']>>>
>
