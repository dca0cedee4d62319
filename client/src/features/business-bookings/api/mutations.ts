import { type Mutation, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import type { BookingAction, BusinessBooking } from '../model/business-booking'
import type { WalkInForm } from '../model/forms'
import { refusalText } from '../model/refusal'
import { businessBookingKeys } from './keys'
import { businessBookingQuery } from './queries'

type Answer = {
  booking: BusinessBooking
  action: Exclude<BookingAction, 'move'>
  reason?: string
}

function request({ booking: { id }, action, reason }: Answer) {
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
 * Answers or ends a booking (BOOK-18, S-28). The result is shown even if the screen was left
 * meanwhile. Errors: status_not_allowed, booking_started, booking_not_started, reason_required,
 * booking_not_found.
 */
export function useAnswer({ onAnswered }: { onAnswered?: () => void } = {}) {
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: businessBookingKeys.all })
  return useMutation({
    mutationKey: businessBookingKeys.answer(),
    mutationFn: async (answer: Answer) => unwrap(await request(answer)),
    // Awaited: until then the booking still has its old status on the screen.
    onSuccess: (_data, { booking, action }) => {
      showToast({
        title: messages.done[action],
        tone: 'success',
        ...(!booking.isWalkIn && { text: messages.doneText }),
      })
      onAnswered?.()
      return refetch()
    },
    onError: (error) => {
      showToast({ title: messages.failed, text: refusalText(error), tone: 'danger' })
      void refetch()
    },
  })
}

/** Returns the action in progress of each booking that has one. */
export function useRunningActions(): ReadonlyMap<string, BookingAction> {
  const answers = useMutationState<Answer | undefined, Mutation<unknown, Error, Answer>>({
    filters: { mutationKey: businessBookingKeys.answer(), status: 'pending' },
    select: ({ state }) => state.variables,
  })
  return new Map(answers.flatMap((answer) => (answer ? [[answer.booking.id, answer.action]] : [])))
}

/** Saves the business's own note on a booking; an empty one is deleted. */
export function useSaveNote(businessId: string, bookingId: string) {
  const client = useQueryClient()
  const { queryKey } = businessBookingQuery(businessId, bookingId)
  return useMutation({
    mutationFn: async (note: string) =>
      unwrap(
        note === ''
          ? await db.from('booking_notes').delete().eq('booking_id', bookingId)
          : await db.from('booking_notes').upsert({ booking_id: bookingId, note }),
      ),
    onSuccess: (_data, note) => {
      client.setQueryData(
        queryKey,
        (booking) => booking && { ...booking, privateNote: note || null },
      )
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: businessBookingKeys.all })
    },
  })
}

export type NewTime = { id: string; date: string; time: string }

/**
 * Proposes another time to the customer; a booking entered by the business itself moves at once.
 * Errors: slot_taken, same_time, too_many_proposals, booking_in_past,
 * booking_over.
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
