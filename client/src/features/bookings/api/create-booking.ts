import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { bookingsKeys } from './keys'

export type NewBooking = {
  businessId: string
  userId: string
  serviceId: string
  date: string
  start: string
  notes: string
}

/**
 * Makes a booking (BOOK-15). Its end and its status are the database's to set: the end
 * from the service's duration, the status pending.
 *
 * Errors: 23P01 when the slot was taken first; 42501 when nobody is signed in.
 */
export function useCreateBooking() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ businessId, userId, serviceId, date, start, notes }: NewBooking) =>
      unwrap(
        await db
          .from('bookings')
          .insert({
            business_id: businessId,
            user_id: userId,
            service_id: serviceId,
            booking_date: date,
            start_time: start,
            notes: notes.trim() === '' ? null : notes.trim(),
            status: 'pending',
          })
          .select(
            'id, booking_date, start_time, end_time, status, service_name, service_duration, service_price',
          )
          .single(),
      ),
    // Also after a refusal: what is free has changed, or was not known well enough.
    onSettled: () => client.invalidateQueries({ queryKey: bookingsKeys.all }),
  })
}

export type CreatedBooking = NonNullable<ReturnType<typeof useCreateBooking>['data']>
