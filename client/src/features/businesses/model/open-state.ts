import { formatMinutes, parseTime, type Weekday, wallClock, weekdays, type Zone } from '@/lib/time'

/** Hours of one day. A day is closed if either field says so: closed wins (C-45). */
export type DayHours = { open: string; close: string; isOpen: boolean }

/** A week of hours, or a text instead. */
export type Hours =
  | { kind: 'structured'; days: Partial<Record<Weekday, DayHours>> }
  | { kind: 'text'; text: string }

const defaultOpen = '09:00'
const defaultClose = '17:00'
const day = 24 * 60

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a stored `hours` value (DATA-09); null if a business has none. */
export function parseHours(value: unknown): Hours | null {
  if (typeof value === 'string') {
    return value.trim() === '' ? null : { kind: 'text', text: value.trim() }
  }
  if (!isRecord(value) || !isRecord(value.structured)) return null
  const stored = value.structured
  const days: Partial<Record<Weekday, DayHours>> = {}
  for (const weekday of weekdays) {
    const hours = stored[weekday]
    if (!isRecord(hours)) continue
    days[weekday] = {
      open: typeof hours.open === 'string' ? hours.open : defaultOpen,
      close: typeof hours.close === 'string' ? hours.close : defaultClose,
      isOpen: hours.closed !== true && hours.isOpen !== false,
    }
  }
  return { kind: 'structured', days }
}

export type OpenState =
  | { state: 'unknown' }
  | { state: 'open'; until: string | 'all-day' }
  /** `inDays` is 0 today, 1 tomorrow; null if it never opens. */
  | { state: 'closed'; opens: { at: string; inDays: number; weekday: Weekday } | null }

type Span = { start: number; end: number }

/**
 * Returns the start and end of a day's hours in minutes since its midnight; the end may be on the
 * next day.
 */
function spanOf(hours: DayHours | undefined): Span | null {
  if (!hours?.isOpen) return null
  const start = parseTime(hours.open)
  const close = parseTime(hours.close)
  if (start === null || close === null) return null
  // A closing time not later than the opening time is after midnight (BIZ-14).
  return { start, end: close > start ? close : close + day }
}

function weekdayAfter(weekday: Weekday, days: number): Weekday {
  return weekdays[(weekdays.indexOf(weekday) + days + 7) % 7] ?? weekday
}

/**
 * Reports whether a business is open at an instant, in its own time zone (BIZ-14). Hours past
 * midnight also count for the following morning.
 */
export function openState(hours: Hours | null, now: Date, zone: Zone): OpenState {
  if (hours?.kind !== 'structured') return { state: 'unknown' }
  const { weekday, minutes } = wallClock(now, zone)
  const span = (offset: number) => spanOf(hours.days[weekdayAfter(weekday, offset)])

  const running = [
    { span: span(0), at: minutes },
    { span: span(-1), at: minutes + day },
  ].find(({ span, at }) => span !== null && at >= span.start && at < span.end)
  if (running?.span) {
    const { start, end } = running.span
    return { state: 'open', until: end - start === day ? 'all-day' : formatMinutes(end) }
  }

  for (let inDays = 0; inDays <= 7; inDays++) {
    const next = span(inDays)
    if (next && (inDays > 0 || next.start > minutes)) {
      return {
        state: 'closed',
        opens: {
          at: formatMinutes(next.start),
          inDays,
          weekday: weekdayAfter(weekday, inDays),
        },
      }
    }
  }
  return { state: 'closed', opens: null }
}
