import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import { refusalText } from '../model/booking'
import { bookingsKeys } from './keys'

/**
 * Cancels a booking (BOOK-18). The result is shown even if the list was left meanwhile. Errors:
 * details booking_started, status_not_allowed, booking_not_found.
 */
export function useCancelBooking() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: bookingsKeys.cancellation(),
    mutationFn: async (id: string) =>
      unwrap(await db.rpc('cancel_booking', { p_booking_id: id }).select('id, status')),
    onSuccess: () =>
      showToast({ title: messages.cancelled, text: messages.cancelledText, tone: 'success' }),
    onError: (error) =>
      showToast({ title: messages.cancelFailed, text: refusalText(error), tone: 'danger' }),
    // Not awaited: a failed cancellation is taken back at once.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: bookingsKeys.all })
    },
  })
}

/** Returns the ids of the bookings whose cancellation has been sent and has not failed. */
export function useCancelledIds(): ReadonlySet<unknown> {
  const ids = useMutationState({
    filters: {
      mutationKey: bookingsKeys.cancellation(),
      predicate: ({ state }) => state.status !== 'error',
    },
    select: ({ state }) => state.variables,
  })
  return new Set(ids)
}

type NewTime = { id: string; date: string; start: string }

/**
 * Proposes another time to the business; the booking keeps its time until the business accepts.
 * Errors: slot_taken, time_not_offered, same_time, too_many_proposals, booking_in_past,
 * booking_over.
 */
export function useProposeTime() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, date, start }: NewTime) =>
      unwrap(
        await db
          .rpc('propose_booking_time', { p_booking_id: id, p_date: date, p_start: start })
          .select('id'),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: bookingsKeys.all }),
  })
}

/**
 * Accepts or declines the business's proposal, or withdraws the user's own. Errors: 23P01,
 * proposal_changed.
 */
export function useAnswerTime() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, date, start, accept }: NewTime & { accept: boolean }) =>
      unwrap(
        await db
          .rpc('answer_booking_time', {
            p_booking_id: id,
            p_accept: accept,
            p_date: date,
            p_start: start,
          })
          .select('id'),
      ),
    // Not awaited: the calling component is unmounted by the refetch, and could not show the
    // result.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: bookingsKeys.all })
    },
  })
}
