/** How customers may book, besides the week and the blackout dates. */
export type BookingRules = {
  /** Minutes before the start until which one can book. */
  notice: number
  /** Days after today for which one can book. */
  ahead: number
  /** Minutes that stay free between two bookings. */
  buffer: number
  /** Bookings at a time. */
  capacity: number
}

const hour = 60
const day = 24 * hour

/** What the form offers of each rule; the database takes more (businesses_booking_…_check). */
const offered: Record<keyof BookingRules, readonly number[]> = {
  notice: [0, 30, hour, 2 * hour, 4 * hour, 12 * hour, day, 2 * day, 3 * day, 7 * day, 14 * day],
  ahead: [7, 14, 30, 60, 90, 180, 365, 730],
  buffer: [0, 5, 10, 15, 20, 30, 45, hour, 1.5 * hour, 2 * hour],
  capacity: Array.from({ length: 50 }, (_, index) => index + 1),
}

/** The choices of a rule, in order; a stored value that is none of those offered is one, too. */
export function choicesOf(rule: keyof BookingRules, stored: number): number[] {
  return [...new Set([...offered[rule], stored])].sort((a, b) => a - b)
}
