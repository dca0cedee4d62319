/** Booking rules, in addition to the schedule and the blackout dates. */
export type BookingRules = {
  /** Minimum minutes between booking and start. */
  notice: number
  /** Maximum days ahead. */
  ahead: number
  /** Free minutes between two bookings. */
  buffer: number
  /** Number of concurrent bookings. */
  capacity: number
}

const hour = 60
const day = 24 * hour

/**
 * The form's options for each rule; the database accepts more values (businesses_booking_…_check).
 */
const offered: Record<keyof BookingRules, readonly number[]> = {
  notice: [0, 30, hour, 2 * hour, 4 * hour, 12 * hour, day, 2 * day, 3 * day, 7 * day, 14 * day],
  ahead: [7, 14, 30, 60, 90, 180, 365, 730],
  buffer: [0, 5, 10, 15, 20, 30, 45, hour, 1.5 * hour, 2 * hour],
  capacity: Array.from({ length: 50 }, (_, index) => index + 1),
}

/** Returns the options of a rule in order, including a stored value that is not among them. */
export function choicesOf(rule: keyof BookingRules, stored: number): number[] {
  return [...new Set([...offered[rule], stored])].sort((a, b) => a - b)
}
