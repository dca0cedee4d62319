import { readStored, writeStored } from '@/lib/storage'

/** What a request to book asks for. */
type Asked = { businessId: string; serviceId: string; date: string; start: string }
type Sent = { id: string; what: string; at: number }

/** Where a request without an answer is kept: the page may be loaded anew meanwhile. */
const sentKey = 'plaza.sent-booking'
/** For how long it counts, in milliseconds; later, My Bookings has been looked at. */
const countsForMs = 3_600_000

function parse(value: unknown): Sent | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('id' in value && 'what' in value && 'at' in value)) return null
  const { id, what, at } = value
  if (typeof id !== 'string' || typeof what !== 'string' || typeof at !== 'number') return null
  return Math.abs(Date.now() - at) < countsForMs ? { id, what, at } : null
}

const describe = ({ businessId, serviceId, date, start }: Asked) =>
  [businessId, serviceId, date, start].join(' ')

/** Notes that a booking is being asked for, under which id. */
export function noteSent(id: string, asked: Asked): void {
  writeStored(sentKey, { id, what: describe(asked), at: Date.now() })
}

/** Its outcome is known. */
export function forgetSent(): void {
  writeStored(sentKey, null)
}

/** The request that was sent before and had no answer; whether it asked for the same. */
export function sentBefore(asked: Asked): { id: string; isSame: boolean } | null {
  const sent = readStored(sentKey, parse)
  return sent && { id: sent.id, isSame: sent.what === describe(asked) }
}

/** The id of a request to book at a business that had no answer. */
export function unansweredId(businessId: string): string | null {
  const sent = readStored(sentKey, parse)
  return sent?.what.startsWith(`${businessId} `) ? sent.id : null
}
