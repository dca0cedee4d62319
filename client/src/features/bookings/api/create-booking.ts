import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bookingsKeys } from './keys'
import type { CreatedBooking, NewBooking } from './send-booking'

/** How a booking is sent and what its failures mean: there with the form (booking-form.tsx). */
export const loadSending = () => import('../model/sending')

/** Makes a booking (BOOK-15). Errors: as `book`. */
export function useCreateBooking() {
  const client = useQueryClient()
  return useMutation<CreatedBooking, Error, NewBooking>({
    mutationFn: async (booking) => (await loadSending()).book(booking),
    // Also after a refusal: what is free has changed, or was not known well enough. Nobody waits for it.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: bookingsKeys.all })
    },
  })
}
