import { useInfiniteQuery } from '@tanstack/react-query'
import type { BookingView } from '../model/view'
import { useCancelledIds } from './mutations'
import { bookingsQuery } from './queries'

/**
 * A user's bookings. A cancellation is shown at once, without changing the cache: a page that is
 * being loaded would restore the pages as they were when it was requested.
 */
export function useBookings(userId: string, view: BookingView) {
  const cancelled = useCancelledIds()
  return useInfiniteQuery({
    ...bookingsQuery(userId, view),
    select: ({ pages, pageParams }) => ({
      pageParams,
      pages: pages.map((page) => ({
        ...page,
        items: page.items.map((booking) =>
          cancelled.has(booking.id) ? { ...booking, status: 'cancelled' } : booking,
        ),
      })),
    }),
  })
}
