import type { BookingView } from '../model/view'

// A business's own screen uses the same key prefix, so a change of one invalidates both.
export const bookingsKeys = {
  all: ['bookings'] as const,
  count: (userId: string) => [...bookingsKeys.all, 'count', userId] as const,
  list: (userId: string, view: BookingView) => [...bookingsKeys.all, 'list', userId, view] as const,
  slotsOf: (businessId: string) => [...bookingsKeys.all, 'slots', businessId] as const,
  slots: (businessId: string, serviceId: string, date: string) =>
    [...bookingsKeys.slotsOf(businessId), serviceId, date] as const,
  nextFree: (businessId: string, serviceId: string) =>
    [...bookingsKeys.slotsOf(businessId), 'next', serviceId] as const,
}
