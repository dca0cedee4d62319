import type { BadgeTone } from '@/components/ui/badge'

/** The states of a booking; the database's constraint has the same four (BOOK-17). */
const bookingStatuses = ['pending', 'confirmed', 'cancelled', 'completed'] as const
type BookingStatus = (typeof bookingStatuses)[number]

/** Why a booking was cancelled; the database's constraint has the same values. */
const cancelKinds = ['customer', 'business', 'declined', 'expired', 'no_show'] as const

const tones: Record<BookingStatus, BadgeTone> = {
  confirmed: 'success',
  pending: 'warning',
  cancelled: 'danger',
  completed: 'neutral',
}

const labels: Record<BookingStatus, string> = {
  pending: 'Pending',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
}

const endings: Record<(typeof cancelKinds)[number], string> = {
  customer: 'Cancelled',
  business: 'Cancelled',
  declined: 'Declined',
  expired: 'Expired',
  no_show: 'No-show',
}

function knownStatus(status: string): BookingStatus | undefined {
  return bookingStatuses.find((known) => known === status)
}

/** Confirmed green, pending amber, cancelled red, any other grey (BOOK-17). */
export function statusTone(status: string): BadgeTone {
  const known = knownStatus(status)
  return known ? tones[known] : 'neutral'
}

/** Returns the label of a status; for a cancelled booking, how it ended. */
export function statusLabel(status: string, cancelKind: string | null = null): string {
  const ending = cancelKinds.find((kind) => kind === cancelKind)
  if (status === 'cancelled' && ending) return endings[ending]
  const known = knownStatus(status)
  return known ? labels[known] : 'Unknown'
}
