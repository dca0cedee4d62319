import { readStored, writeStored } from '@/lib/storage'

/** The contents of a booking request. */
type BookingRequest = { businessId: string; serviceId: string; date: string; start: string }
type Sent = { id: string; what: string; at: number }

/** Storage key for a request without a response: the page may be reloaded meanwhile. */
const sentKey = 'plaza.sent-booking'
/** How long it is kept, in milliseconds; after that, users have checked My Bookings. */
const countsForMs = 3_600_000

function parse(value: unknown): Sent | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('id' in value && 'what' in value && 'at' in value)) return null
  const { id, what, at } = value
  if (typeof id !== 'string' || typeof what !== 'string' || typeof at !== 'number') return null
  return Math.abs(Date.now() - at) < countsForMs ? { id, what, at } : null
}

const describe = ({ businessId, serviceId, date, start }: BookingRequest) =>
  [businessId, serviceId, date, start].join(' ')

/** Records that a booking is being requested, with its id. */
export function recordSent(id: string, request: BookingRequest): void {
  writeStored(sentKey, { id, what: describe(request), at: Date.now() })
}

/** Removes the record once the result is known. */
export function clearSent(): void {
  writeStored(sentKey, null)
}

/** Returns an earlier request without a response, and whether it was for the same booking. */
export function sentBefore(request: BookingRequest): { id: string; isSame: boolean } | null {
  const sent = readStored(sentKey, parse)
  return sent && { id: sent.id, isSame: sent.what === describe(request) }
}

/** Returns the id of a booking request at a business that got no response. */
export function unansweredId(businessId: string): string | null {
  const sent = readStored(sentKey, parse)
  return sent?.what.startsWith(`${businessId} `) ? sent.id : null
}
