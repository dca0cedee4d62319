import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Booking } from '../model/booking'
import { bookingsKeys } from './keys'

type Pages = InfiniteData<{ items: Booking[]; next: number | null }, number>

function withStatus(pages: Pages, id: string, status: string): Pages {
  const change = (booking: Booking) => (booking.id === id ? { ...booking, status } : booking)
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.map(change) })),
  }
}

/**
 * Cancels a booking (BOOK-18): shown at once, rolled back if the database refuses. Errors: details
 * booking_started, status_not_allowed, booking_not_found.
 */
export function useCancelBooking(userId: string) {
  const client = useQueryClient()
  const queryKey = bookingsKeys.list(userId, 'upcoming')
  return useMutation({
    mutationFn: async (booking: Booking) =>
      unwrap(await db.rpc('cancel_booking', { p_booking_id: booking.id }).select('id, status')),
    onMutate: async (booking) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<Pages>(queryKey)
      if (before) client.setQueryData<Pages>(queryKey, withStatus(before, booking.id, 'cancelled'))
      return { before }
    },
    onError: (_error, _booking, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before)
    },
    // A page that is being fetched is not discarded for it.
    onSettled: () =>
      client.invalidateQueries({ queryKey: bookingsKeys.all }, { cancelRefetch: false }),
  })
}

type NewTime = { id: string; date: string; start: string }

/**
 * Proposes another time to the business; the booking keeps its time until the business accepts.
 * Errors: slot_taken, time_not_offered, same_time, booking_in_past, booking_over.
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
