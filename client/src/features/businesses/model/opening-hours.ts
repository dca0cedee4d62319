import { type Weekday, weekdays } from '@/lib/time'
import { parseHours } from './open-state'

/**
 * Returns a week of opening hours with null for closed days; null if the business has no hours by
 * day.
 */
export function openingHours(
  stored: unknown,
): Partial<Record<Weekday, { open: string; close: string } | null>> | null {
  const hours = parseHours(stored)
  if (hours?.kind !== 'structured') return null
  return Object.fromEntries(
    weekdays.map((weekday) => {
      const day = hours.days[weekday]
      return [weekday, day?.isOpen ? { open: day.open, close: day.close } : null]
    }),
  )
}
