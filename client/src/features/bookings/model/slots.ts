import { parseTime } from '@/lib/time'

/** Reasons why a slot cannot be booked. */
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

/**
 * A slot that can be booked, or the reason why not. Times are 'HH:MM' in the business's time zone.
 */
export type Slot = { start: string; end: string; reason: SlotReason | null }

type StoredSlot = {
  start_time: string
  end_time: string
  available: boolean
  reason: string | null
}

/** Converts a slot from the database; an unknown reason also means that it is not available. */
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

/** Groups the slots of a day by part of the day; empty parts are omitted. */
export function groupSlots(slots: readonly Slot[]): { part: DayPart; slots: Slot[] }[] {
  const parts: DayPart[] = ['morning', 'afternoon', 'evening']
  return parts
    .map((part) => ({ part, slots: slots.filter((slot) => partOf(slot) === part) }))
    .filter((group) => group.slots.length > 0)
}

/** Returns the free slots of a day that start nearest to a time, in order. */
export function nearestFree(slots: readonly Slot[], time: string, most: number): Slot[] {
  const wanted = parseTime(time) ?? 0
  const distance = ({ start }: Slot) => Math.abs((parseTime(start) ?? 0) - wanted)
  return slots
    .filter(({ start, reason }) => reason === null && start !== time)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, most)
    .toSorted((a, b) => a.start.localeCompare(b.start))
}

// Taken or blocked is more informative than past, and past more than outside the opening hours,
// which applies every day.
const leastInformative: readonly SlotReason[] = ['past', 'closed']

/**
 * Returns why nothing is free on a day: the most informative and most frequent reason; null if
 * something is free.
 */
export function whyFull(slots: readonly Slot[]): SlotReason | null {
  if (slots.some((slot) => slot.reason === null)) return null
  const count = (reason: SlotReason) => slots.filter((slot) => slot.reason === reason).length
  const informative = slotReasons.filter((reason) => !leastInformative.includes(reason))
  const [most] = informative.toSorted((a, b) => count(b) - count(a))
  return [most, ...leastInformative].find((reason) => reason && count(reason) > 0) ?? null
}
