import { parseTime, type Weekday, weekdays } from '@/lib/time'
import type { DaySchedule } from './schedule'

/**
 * A day's opening hours; null if closed. A closing time not later than the opening time is on the
 * next day.
 */
type Opening = { open: string; close: string } | null
/** The opening hours of a week; null if the business has none. */
export type OpeningHours = Partial<Record<Weekday, Opening>> | null

const dayMinutes = 24 * 60

function spanOf(opening: Opening | undefined): { from: number; to: number } | null {
  const from = parseTime(opening?.open ?? '')
  const close = parseTime(opening?.close ?? '')
  if (from === null || close === null) return null
  return { from, to: close > from ? close : close + dayMinutes }
}

/** Reports whether a part of a day's slots is outside the opening hours and so cannot be booked. */
export function isOutside(day: DaySchedule, weekday: Weekday, hours: OpeningHours): boolean {
  if (hours === null) return false
  const previousDay = weekdays[(weekdays.indexOf(weekday) + 6) % 7] ?? weekday
  const today = spanOf(hours[weekday])
  const previousSpan = spanOf(hours[previousDay])
  const open = [
    ...(previousSpan && previousSpan.to > dayMinutes
      ? [{ from: 0, to: previousSpan.to - dayMinutes }]
      : []),
    ...(today ? [{ from: today.from, to: Math.min(today.to, dayMinutes) }] : []),
  ]
  return day.slots.some(({ start, end }) => {
    const from = parseTime(start) ?? 0
    const to = parseTime(end) ?? 0
    return !open.some((span) => from >= span.from && to <= span.to)
  })
}
