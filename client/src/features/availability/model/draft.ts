import type { BookingRules } from './rules'
import { defaultSchedule, type Schedule } from './schedule'

/** The stored availability of a business; the schedule is null if none was saved. */
export type StoredAvailability = {
  schedule: Schedule | null
  blackoutDates: string[]
  rules: BookingRules
  /** The number of saves. */
  revision: number
}

/** The editor's state. */
export type Draft = Omit<StoredAvailability, 'schedule' | 'revision'> & { schedule: Schedule }

/** Returns a draft of the stored availability, with a default schedule if none is stored. */
export function draftOf({ schedule, blackoutDates, rules }: StoredAvailability): Draft {
  return { schedule: schedule ?? defaultSchedule, blackoutDates, rules }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Returns the schedule to store. Null keeps the stored one: an untouched default schedule is not
 * stored along with other changes, since it would override the opening hours without the user's
 * decision.
 */
export function weekToStore(draft: Draft, stored: StoredAvailability): Schedule | null {
  const before = draftOf(stored)
  const isUntouched = isSame(draft.schedule, before.schedule)
  return stored.schedule === null && isUntouched && !isSame(draft, before) ? null : draft.schedule
}
