import type { BookingRules } from './rules'
import { defaultSchedule, type Schedule } from './schedule'

/** The availability of a business as it is stored; without a week, none was saved. */
export type StoredAvailability = {
  schedule: Schedule | null
  blackoutDates: string[]
  rules: BookingRules
  /** Counts the saves. */
  revision: number
}

/** What the editor holds. */
export type Draft = Omit<StoredAvailability, 'schedule' | 'revision'> & { schedule: Schedule }

/** What is stored, as a draft; where no week is, a usual one to begin with. */
export function draftOf({ schedule, blackoutDates, rules }: StoredAvailability): Draft {
  return { schedule: schedule ?? defaultSchedule, blackoutDates, rules }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * The week that a draft stores. Null leaves it as it is: a suggested week that nobody touched is not
 * stored along with other changes, as it would take the place of the opening hours unasked.
 */
export function weekToStore(draft: Draft, stored: StoredAvailability): Schedule | null {
  const before = draftOf(stored)
  const isUntouched = isSame(draft.schedule, before.schedule)
  return stored.schedule === null && isUntouched && !isSame(draft, before) ? null : draft.schedule
}
