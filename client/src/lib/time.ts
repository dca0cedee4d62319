import { dateFormat } from './formats'
import { locale } from './language'

/** The market's time zones. Las Palmas is an hour behind the rest of Spain. */
export type Zone = 'Europe/Madrid' | 'Atlantic/Canary' | 'Europe/Andorra'

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof weekdays)[number]

/** Local date and time in a zone. */
export type WallClock = { date: string; weekday: Weekday; minutes: number }

const canary = /las palmas|canaria|tenerife|lanzarote|fuerteventura|la palma|gomera|hierro/i
const andorra = /andorra|escaldes|encamp|la massana|ordino|sant juli[aà] de l[oò]ria|canillo/i

/** Returns the time zone of a place, derived from its name. */
export function zoneOf(location: string): Zone {
  if (canary.test(location)) return 'Atlantic/Canary'
  return andorra.test(location) ? 'Europe/Andorra' : 'Europe/Madrid'
}

const zones: readonly string[] = ['Europe/Madrid', 'Atlantic/Canary', 'Europe/Andorra']

function isZone(value: string): value is Zone {
  return zones.includes(value)
}

/** Returns the time zone of a stored business; mainland Spain for an unknown value. */
export function zoneFrom(value: string): Zone {
  return isZone(value) ? value : 'Europe/Madrid'
}

/** Returns the local date and time of an instant in a zone. */
export function wallClock(at: Date, zone: Zone): WallClock {
  const parts = dateFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? ''
  const date = `${part('year')}-${part('month')}-${part('day')}`
  return {
    date,
    weekday: weekdayOf(date),
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  }
}

/**
 * Returns the first and last local date in the market at an instant: around midnight it is still
 * yesterday in the Canary Islands.
 */
export function marketDays(at: Date): { first: string; last: string } {
  return { first: wallClock(at, 'Atlantic/Canary').date, last: wallClock(at, 'Europe/Madrid').date }
}

// A calendar day has no zone; midnight UTC allows safe arithmetic.
function utcOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

/** Returns the weekday of a calendar day (yyyy-MM-dd). */
function weekdayOf(date: string): Weekday {
  return weekdays[(utcOf(date).getUTCDay() + 6) % 7] ?? 'monday'
}

/** Returns the calendar day a number of days later (or earlier). */
export function addDays(date: string, days: number): string {
  const day = utcOf(date)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/** Returns the Monday of a day's week. */
export function startOfWeek(date: string): string {
  return addDays(date, -weekdays.indexOf(weekdayOf(date)))
}

/** Parses 'HH:MM' or 'HH:MM:SS' as minutes since midnight; null if it is not a time. */
export function parseTime(text: string): number | null {
  const match = /^([01]?\d|2[0-4]):([0-5]\d)(:[0-5]\d)?$/.exec(text.trim())
  if (!match) return null
  const minutes = Number(match[1]) * 60 + Number(match[2])
  return minutes <= 24 * 60 ? minutes : null
}

/** Formats minutes since midnight as 'HH:MM'. */
export function formatMinutes(minutes: number): string {
  const inDay = ((minutes % 1440) + 1440) % 1440
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
}

type DayStyle = 'short' | 'dated' | 'long' | 'month'

const dayStyles: Record<DayStyle, Intl.DateTimeFormatOptions> = {
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  dated: { day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
}

/**
 * Formats a calendar day: 'Wed 25 Nov', '25 Nov 2026', 'Wednesday 25 November 2026', 'November
 * 2026'.
 */
export function formatDay(date: string, style: DayStyle = 'short'): string {
  return dateFormat(locale, { ...dayStyles[style], timeZone: 'UTC' })
    .format(utcOf(date))
    .replaceAll(',', '')
}

/** Formats an instant in a zone: 'Wed 25 Nov, 11:00'. */
export function formatMoment(at: Date, zone: Zone): string {
  const { date, minutes } = wallClock(at, zone)
  return `${formatDay(date)}, ${formatMinutes(minutes)}`
}

/** Formats a duration: '30 min', '1 h', '1 h 30 min'. */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/**
 * Formats an instant in the reader's own time zone: 'Wed 25 Nov, 11:00'; with the year if it is not
 * the current one.
 */
export function formatHere(at: Date, now: Date): string {
  const day = dateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  })
  const time = dateFormat(locale, { timeStyle: 'short' })
  return `${day.format(at).replaceAll(',', '')}, ${time.format(at)}`
}
