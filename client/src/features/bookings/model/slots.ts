import { parseTime } from '@/lib/time'

/** Why a slot cannot be booked. */
const slotReasons = [
  'past',
  'too_soon',
  'too_far',
  'blackout',
  'closed',
  'unavailable',
  'taken',
] as const
export type SlotReason = (typeof slotReasons)[number]

/** A time that can be booked, or why it cannot. Times are 'HH:MM' on the business's clock. */
export type Slot = { start: string; end: string; reason: SlotReason | null }

type StoredSlot = {
  start_time: string
  end_time: string
  available: boolean
  reason: string | null
}

/** A slot as the database tells it; a reason unknown here still means it is not to be had. */
export function toSlot({ start_time: start, end_time: end, available, reason }: StoredSlot): Slot {
  const known = slotReasons.find((one) => one === reason)
  return {
    start: start.slice(0, 5),
    end: end.slice(0, 5),
    reason: available ? null : (known ?? 'unavailable'),
  }
}

export type DayPart = 'morning' | 'afternoon' | 'evening'

const noon = 12 * 60
const eveningFrom = 17 * 60

function partOf({ start }: Slot): DayPart {
  const minutes = parseTime(start) ?? 0
  if (minutes < noon) return 'morning'
  return minutes < eveningFrom ? 'afternoon' : 'evening'
}

/** The slots of a day in its parts; a part without slots is left out. */
export function groupSlots(slots: readonly Slot[]): { part: DayPart; slots: Slot[] }[] {
  const parts: DayPart[] = ['morning', 'afternoon', 'evening']
  return parts
    .map((part) => ({ part, slots: slots.filter((slot) => partOf(slot) === part) }))
    .filter((group) => group.slots.length > 0)
}

/** The free slots of a day that begin nearest to a time, in their order. */
export function nearestFree(slots: readonly Slot[], time: string, most: number): Slot[] {
  const wanted = parseTime(time) ?? 0
  const distance = ({ start }: Slot) => Math.abs((parseTime(start) ?? 0) - wanted)
  return slots
    .filter(({ start, reason }) => reason === null && start !== time)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, most)
    .toSorted((a, b) => a.start.localeCompare(b.start))
}

// What is taken or blocked says more than what is past, and that more than the hours around
// it, which are closed every day.
const leastTelling: readonly SlotReason[] = ['past', 'closed']

/** Why nothing is free on a day: the most telling reason, of most slots; null when something is. */
export function whyFull(slots: readonly Slot[]): SlotReason | null {
  if (slots.some((slot) => slot.reason === null)) return null
  const count = (reason: SlotReason) => slots.filter((slot) => slot.reason === reason).length
  const telling = slotReasons.filter((reason) => !leastTelling.includes(reason))
  const [most] = telling.toSorted((a, b) => count(b) - count(a))
  return [most, ...leastTelling].find((reason) => reason && count(reason) > 0) ?? null
}
