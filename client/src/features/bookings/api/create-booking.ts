import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bookingsKeys } from './keys'
import type { CreatedBooking, NewBooking } from './send-booking'

/**
 * Loads the code that sends a booking and explains its failures; it is loaded with the form
 * (booking-form.tsx).
 */
export const loadSending = () => import('../model/sending')

/** Creates a booking (BOOK-15). Errors: as `book`. */
export function useCreateBooking() {
  const client = useQueryClient()
  return useMutation<CreatedBooking, Error, NewBooking>({
    mutationFn: async (booking) => (await loadSending()).book(booking),
    // After a refusal, too: the free slots have changed or were not known exactly. Nobody waits for
    // the refetch.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: bookingsKeys.all })
    },
  })
}
