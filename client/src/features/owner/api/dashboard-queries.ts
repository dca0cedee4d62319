import { queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { marketDays } from '@/lib/time'
import { ownerKeys } from './keys'

async function countAhead(businessId: string, status: string, signal: AbortSignal) {
  return unwrapCounted(
    await db
      .from('bookings')
      .select('id', { count: 'exact' })
      .eq('business_id', businessId)
      .eq('status', status)
      .gte('booking_date', marketDays(new Date()).first)
      .limit(1)
      .abortSignal(signal),
  ).total
}

/** The header of a business on the dashboard, and the data that its sections need (DASH-13). */
export const businessSummaryQuery = (businessId: string) =>
  queryOptions({
    queryKey: ownerKeys.summary(businessId),
    queryFn: async ({ signal }) => {
      const [business, waiting, confirmed] = await Promise.all([
        db
          .from('businesses')
          .select('id, name, hours, time_zone, rating, combined_rating, user_ratings_total')
          .eq('id', businessId)
          .abortSignal(signal)
          .single(),
        countAhead(businessId, 'pending', signal),
        countAhead(businessId, 'confirmed', signal),
      ])
      return { ...unwrap(business), waiting, ahead: waiting + confirmed }
    },
    staleTime: 0,
  })

export type BusinessSummary = Awaited<
  ReturnType<NonNullable<ReturnType<typeof businessSummaryQuery>['queryFn']>>
>
