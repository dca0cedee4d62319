import { addMonths, monthWeeks } from '@/components/ui/calendar-days'
import { addDays, formatDay, startOfWeek } from '@/lib/time'
import type { BusinessBooking } from './business-booking'

/** The views of the bookings; the URL says which one is shown. */
export const bookingViews = ['list', 'day', 'week', 'month'] as const
export type BookingView = (typeof bookingViews)[number]
export type CalendarView = Exclude<BookingView, 'list'>

export type CalendarRange = { first: string; last: string }

export function readView(params: URLSearchParams): BookingView {
  return bookingViews.find((view) => view === params.get('view')) ?? 'list'
}

/** Returns the day in the URL; today if it is invalid. */
export function readDate(params: URLSearchParams, today: string): string {
  const value = params.get('date') ?? ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return today
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(value) ? value : today
}

/** Returns the days of a view, in order. A month consists of whole weeks. */
export function daysOf(view: CalendarView, date: string): string[] {
  if (view === 'day') return [date]
  if (view === 'month') return monthWeeks(date).flat()
  const monday = startOfWeek(date)
  return Array.from({ length: 7 }, (_, day) => addDays(monday, day))
}

export function rangeOf(view: CalendarView, date: string): CalendarRange {
  const days = daysOf(view, date)
  return { first: days[0] ?? date, last: days.at(-1) ?? date }
}

/** Returns the day of the previous or next period of a view. */
export function stepFrom(view: CalendarView, date: string, step: 1 | -1): string {
  if (view === 'month') return addMonths(date, step)
  return addDays(date, view === 'week' ? 7 * step : step)
}

/**
 * Formats the period of a view: 'Wednesday 25 November 2026', '23 Nov – 29 Nov 2026', 'November
 * 2026'.
 */
export function rangeText(view: CalendarView, date: string): string {
  if (view === 'day') return formatDay(date, 'long')
  if (view === 'month') return formatDay(date, 'month')
  const { first, last } = rangeOf(view, date)
  const short = (day: string) => formatDay(day).split(' ').slice(1).join(' ')
  return `${short(first)} – ${short(last)} ${last.slice(0, 4)}`
}

/** Groups bookings by day. */
export function byDay(bookings: readonly BusinessBooking[]): Map<string, BusinessBooking[]> {
  return Map.groupBy(bookings, ({ date }) => date)
}

type Span = Pick<BusinessBooking, 'start' | 'end'>

/**
 * Groups the bookings of a day, in the order of their starts: bookings that overlap, directly or
 * through others, are in one group. Times are 'HH:MM', and so can be compared as strings.
 */
export function groupsOf<B extends Span>(bookings: readonly B[]): B[][] {
  const groups: B[][] = []
  let until = ''
  for (const booking of bookings) {
    const group = booking.start < until ? groups.at(-1) : undefined
    if (group) group.push(booking)
    else groups.push([booking])
    if (booking.end > until) until = booking.end
  }
  return groups
}

/** Returns the maximum number of concurrent bookings. */
export function maxConcurrent(bookings: readonly Span[]): number {
  const at = ({ start }: Span) =>
    bookings.filter((other) => other.start <= start && start < other.end).length
  return Math.max(0, ...bookings.map(at))
}

/**
 * Returns the URL parameters for a view of a day. They do not include those of the list or of an
 * open booking.
 */
export function calendarParams(view: BookingView, date: string): URLSearchParams {
  return new URLSearchParams(view === 'list' ? {} : { view, date })
}
