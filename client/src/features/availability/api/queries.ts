import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { StoredAvailability } from '../model/draft'
import { parseSchedule } from '../model/schedule'
import { availabilityKeys } from './keys'

/** The stored schedule, blackout dates and rules of a business, in one snapshot. */
export const availabilityQuery = (businessId: string) =>
  queryOptions({
    queryKey: availabilityKeys.of(businessId),
    queryFn: async ({ signal }): Promise<StoredAvailability> => {
      const row = unwrap(
        await db
          .from('businesses')
          .select(
            'booking_notice_minutes, booking_days_ahead, booking_buffer_minutes, booking_capacity, availability_revision, days:business_availability(weekday, is_open, slots), dates:blackout_dates(blackout_date)',
          )
          .eq('id', businessId)
          .order('blackout_date', { referencedTable: 'dates' })
          .abortSignal(signal)
          .single(),
      )
      return {
        schedule: parseSchedule(row.days),
        blackoutDates: row.dates.map((date) => date.blackout_date),
        rules: {
          notice: row.booking_notice_minutes,
          ahead: row.booking_days_ahead,
          buffer: row.booking_buffer_minutes,
          capacity: row.booking_capacity,
        },
        revision: row.availability_revision,
      }
    },
    // Read when the editor opens; it must not change while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
