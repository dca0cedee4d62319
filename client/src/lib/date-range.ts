import { dateFormat } from './formats'

/** Calendar days, both included. */
export type DateRange = { first: string; last: string }

/** How many days a range has. */
export function daysOf({ first, last }: DateRange): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1
}

/** A calendar day in words. */
export function dayText(date: string, options: Intl.DateTimeFormatOptions): string {
  return dateFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}

const day = { day: 'numeric', month: 'short' } as const
const dayOfYear = { ...day, year: 'numeric' } as const

/** '25 Oct – 23 Nov 2026'; the year twice where it differs; a single day once. */
export function rangeText({ first, last }: DateRange): string {
  if (first === last) return dayText(last, dayOfYear)
  const sameYear = first.slice(0, 4) === last.slice(0, 4)
  return `${dayText(first, sameYear ? day : dayOfYear)} – ${dayText(last, dayOfYear)}`
}
