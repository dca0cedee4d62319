import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { BookingAction } from '../model/business-booking'
import type { WalkInForm } from '../model/forms'
import { businessBookingKeys } from './keys'

export type Answer = { id: string; action: Exclude<BookingAction, 'move'>; reason?: string }

function request({ id, action, reason }: Answer) {
  const booking = { p_booking_id: id }
  switch (action) {
    case 'accept':
      return db.rpc('set_booking_status', { ...booking, p_status: 'confirmed' }).select('id')
    case 'complete':
      return db.rpc('set_booking_status', { ...booking, p_status: 'completed' }).select('id')
    case 'no-show':
      return db.rpc('mark_no_show', booking).select('id')
    default:
      return db
        .rpc('cancel_booking', { ...booking, ...(reason && { p_reason: reason }) })
        .select('id')
  }
}

/**
 * After each of these, all queries about bookings are refetched, including the free slots that
 * customers see.
 */
function useChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: businessBookingKeys.all }),
  })
}

/**
 * Answers or ends a booking (BOOK-18, S-28). Errors: status_not_allowed, booking_started,
 * booking_not_started, reason_required, booking_not_found.
 */
export function useAnswer() {
  return useChange(async (answer: Answer) => unwrap(await request(answer)))
}

/** Saves the business's own note on a booking; an empty one is deleted. */
export function useSaveNote(bookingId: string) {
  return useChange(async (note: string) =>
    unwrap(
      note.trim() === ''
        ? await db.from('booking_notes').delete().eq('booking_id', bookingId)
        : await db.from('booking_notes').upsert({ booking_id: bookingId, note: note.trim() }),
    ),
  )
}

export type NewTime = { id: string; date: string; time: string }

/**
 * Proposes another time to the customer; a booking entered by the business itself moves at once.
 * Errors: slot_taken, same_time, booking_in_past, booking_over.
 */
export function useProposeTime() {
  return useChange(async ({ id, date, time }: NewTime) =>
    unwrap(
      await db
        .rpc('propose_booking_time', { p_booking_id: id, p_date: date, p_start: time })
        .select('id'),
    ),
  )
}

/**
 * Accepts or declines a proposed time, or withdraws the business's own. Errors: 23P01 if it was
 * taken meanwhile.
 */
export function useAnswerTime() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, date, time, accept }: NewTime & { accept: boolean }) =>
      unwrap(
        await db
          .rpc('answer_booking_time', {
            p_booking_id: id,
            p_accept: accept,
            p_date: date,
            p_start: time,
          })
          .select('id'),
      ),
    // Not awaited: the calling component is unmounted by the refetch, and could not show the
    // result.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: businessBookingKeys.all })
    },
  })
}

/** Enters a booking for a customer who called or walked in. Errors: 23P01 if the time is taken. */
export function useAddWalkIn(businessId: string) {
  return useChange(async ({ service, date, time, name, phone }: WalkInForm) =>
    unwrap(
      await db
        .rpc('add_walk_in', {
          p_business_id: businessId,
          p_service_id: service,
          p_date: date,
          p_start: time,
          p_customer_name: name,
          ...(phone !== '' && { p_customer_phone: phone }),
        })
        .select('id'),
    ),
  )
}
