import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { StoredAvailability } from '../model/draft'
import { type Schedule, sorted } from '../model/schedule'
import { availabilityKeys } from './keys'
import { availabilityQuery } from './queries'

/** A null schedule keeps the stored one; a null revision overwrites any revision. */
type Saved = Omit<StoredAvailability, 'revision'> & { revision: number | null }

function wireSchedule(schedule: Schedule) {
  return Object.fromEntries(
    Object.entries(sorted(schedule)).map(([weekday, { isOpen, slots }]) => [
      weekday,
      { isOpen, slots: slots.map(({ start, end }) => ({ start, end })) },
    ]),
  )
}

/**
 * Stores the schedule, the blackout dates and the rules of a business together (METRICS-32, C-58).
 * Errors: availability_changed if another revision is stored, not_your_business,
 * too_many_blackout_dates, 23514 for overlapping slots.
 */
export function useSaveAvailability(businessId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ schedule, blackoutDates, rules, revision }: Saved) =>
      unwrap(
        await db.rpc('save_availability', {
          p_business_id: businessId,
          p_weekly_schedule: schedule && wireSchedule(schedule),
          p_blackout_dates: blackoutDates,
          p_notice_minutes: rules.notice,
          p_days_ahead: rules.ahead,
          p_buffer_minutes: rules.buffer,
          p_capacity: rules.capacity,
          ...(revision !== null && { p_revision: revision }),
        }),
      ),
    onSuccess: (revision, { schedule, ...rest }) =>
      client.setQueryData(availabilityQuery(businessId).queryKey, {
        ...rest,
        schedule: schedule && sorted(schedule),
        revision,
      }),
  })
}

/** Returns a function that reloads the stored availability. */
export function useReload(businessId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      client.fetchQuery({
        ...availabilityQuery(businessId),
        queryKey: availabilityKeys.of(businessId),
        staleTime: 0,
      }),
  })
}
