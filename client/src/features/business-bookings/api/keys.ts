import type { CalendarRange } from '../model/calendar'
import type { InboxAddress } from '../model/inbox'

// Uses the key prefix of a customer's bookings, so a change of one invalidates both.
export const businessBookingKeys = {
  all: ['bookings'] as const,
  business: (id: string) => [...businessBookingKeys.all, 'business', id] as const,
  inbox: (id: string, address: InboxAddress) =>
    [...businessBookingKeys.business(id), 'inbox', address] as const,
  range: (id: string, range: CalendarRange) =>
    [...businessBookingKeys.business(id), 'range', range] as const,
  detail: (id: string, bookingId: string) =>
    [...businessBookingKeys.business(id), 'detail', bookingId] as const,
  answer: () => [...businessBookingKeys.all, 'answer'] as const,
  frame: (id: string) => [...businessBookingKeys.business(id), 'frame'] as const,
}
