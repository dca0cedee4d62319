import type { BookingView } from '../model/view'

export const bookingsKeys = {
  all: ['bookings'] as const,
  count: (userId: string) => [...bookingsKeys.all, 'count', userId] as const,
  list: (userId: string, view: BookingView) => [...bookingsKeys.all, 'list', userId, view] as const,
}
