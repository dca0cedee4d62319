import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { type Schedule, sorted } from '../model/schedule'
import { availabilityKeys } from './keys'

type Availability = { schedule: Schedule; blackoutDates: string[] }

function wireSchedule(schedule: Schedule) {
  return Object.fromEntries(
    Object.entries(sorted(schedule)).map(([weekday, { isOpen, slots }]) => [
      weekday,
      { isOpen, slots: slots.map(({ start, end }) => ({ start, end })) },
    ]),
  )
}

/**
 * Stores the week and the blackout dates of a business at once (METRICS-32, C-58).
 *
 * Errors: not_your_business, too_many_blackout_dates, 23514 for slots that overlap.
 */
export function useSaveAvailability(businessId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ schedule, blackoutDates }: Availability) =>
      unwrap(
        await db.rpc('save_availability', {
          p_business_id: businessId,
          p_weekly_schedule: wireSchedule(schedule),
          p_blackout_dates: blackoutDates,
        }),
      ),
    onSuccess: (_data, { schedule, blackoutDates }) =>
      client.setQueryData(availabilityKeys.of(businessId), {
        schedule: sorted(schedule),
        blackoutDates,
      }),
  })
}
