import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { parseSchedule } from '../model/schedule'
import { availabilityKeys } from './keys'

/** The saved week of a business (null: none was saved) and its blackout dates. */
export const availabilityQuery = (businessId: string) =>
  queryOptions({
    queryKey: availabilityKeys.of(businessId),
    queryFn: async ({ signal }) => {
      const [days, dates] = await Promise.all([
        db
          .from('business_availability')
          .select('weekday, is_open, slots')
          .eq('business_id', businessId)
          .abortSignal(signal),
        db
          .from('blackout_dates')
          .select('blackout_date')
          .eq('business_id', businessId)
          .order('blackout_date')
          .abortSignal(signal),
      ])
      return {
        schedule: parseSchedule(unwrap(days)),
        blackoutDates: unwrap(dates).map((row) => row.blackout_date),
      }
    },
    // It is read anew each time the editor opens, and does not change under the hand while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
