import { addMonths } from '@/components/ui/calendar-days'
import { type DateRange, daysOf } from '@/lib/date-range'
import { addDays } from '@/lib/time'

/** The selectable date ranges (METRICS-08), as named in the URL. */
export const presets = [
  'last-7',
  'last-30',
  'last-90',
  'this-month',
  'last-month',
  'this-year',
  'custom',
] as const
export type Preset = (typeof presets)[number]

export const defaultPreset = 'last-30' satisfies Preset

/** Maximum number of days; the database refuses more. */
export const maxDays = 1830

/** Returns the days of a preset. A month or year that is not over ends today. */
export function presetRange(preset: Exclude<Preset, 'custom'>, today: string): DateRange {
  switch (preset) {
    case 'last-7':
      return { first: addDays(today, -6), last: today }
    case 'last-30':
      return { first: addDays(today, -29), last: today }
    case 'last-90':
      return { first: addDays(today, -89), last: today }
    case 'this-month':
      return { first: addMonths(today, 0), last: today }
    case 'last-month':
      return { first: addMonths(today, -1), last: addDays(addMonths(today, 0), -1) }
    case 'this-year':
      return { first: `${today.slice(0, 4)}-01-01`, last: today }
  }
}

/** Returns this month and the five before it (METRICS-03). */
export function sixMonths(today: string): DateRange {
  return { first: addMonths(today, -5), last: today }
}

/** Reports whether a text is a calendar day of a year in which bookings exist. */
function isDay(text: string | null): text is string {
  if (text === null || !/^2[01]\d\d-\d\d-\d\d$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Returns the custom range in the URL; null if it is not valid. */
export function customRange(first: string | null, last: string | null): DateRange | null {
  if (!isDay(first) || !isDay(last) || last < first) return null
  const range = { first, last }
  return daysOf(range) > maxDays ? null : range
}
