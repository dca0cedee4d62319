import { dateFormat } from './formats'

/** Calendar days, both included. */
export type DateRange = { first: string; last: string }

/** Returns the number of days in a range. */
export function daysOf({ first, last }: DateRange): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1
}

/** Formats a calendar day. */
export function dayText(date: string, options: Intl.DateTimeFormatOptions): string {
  return dateFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}

const day = { day: 'numeric', month: 'short' } as const
const dayOfYear = { ...day, year: 'numeric' } as const

/**
 * Formats a range: '25 Oct – 23 Nov 2026'. Different years are both shown; a single day is shown
 * once.
 */
export function rangeText({ first, last }: DateRange): string {
  if (first === last) return dayText(last, dayOfYear)
  const sameYear = first.slice(0, 4) === last.slice(0, 4)
  return `${dayText(first, sameYear ? day : dayOfYear)} – ${dayText(last, dayOfYear)}`
}
