import type { BookingView } from '../model/view'

// A business's own screen uses the same key prefix, so a change of one invalidates both.
export const bookingsKeys = {
  all: ['bookings'] as const,
  user: (userId: string) => [...bookingsKeys.all, 'user', userId] as const,
  count: (userId: string) => [...bookingsKeys.user(userId), 'count'] as const,
  list: (userId: string, view: BookingView) =>
    [...bookingsKeys.user(userId), 'list', view] as const,
  cancellation: () => [...bookingsKeys.all, 'cancel'] as const,
  slotsOf: (businessId: string) => [...bookingsKeys.all, 'slots', businessId] as const,
  slots: (businessId: string, serviceId: string, date: string) =>
    [...bookingsKeys.slotsOf(businessId), serviceId, date] as const,
  nextFree: (businessId: string, serviceId: string) =>
    [...bookingsKeys.slotsOf(businessId), 'next', serviceId] as const,
}
