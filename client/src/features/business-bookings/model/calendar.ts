import { addMonths, monthWeeks } from '@/components/ui/calendar-days'
import { addDays, formatDay, startOfWeek } from '@/lib/time'
import type { BusinessBooking } from './business-booking'

/** How the bookings are looked at; which way, the address says. */
export const bookingViews = ['list', 'day', 'week', 'month'] as const
export type BookingView = (typeof bookingViews)[number]
export type CalendarView = Exclude<BookingView, 'list'>

export type CalendarRange = { first: string; last: string }

export function readView(params: URLSearchParams): BookingView {
  return bookingViews.find((view) => view === params.get('view')) ?? 'list'
}

/** The day that an address holds; what is no day is today. */
export function readDate(params: URLSearchParams, today: string): string {
  const value = params.get('date') ?? ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return today
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(value) ? value : today
}

/** The days that a view shows, in order. A month shows whole weeks. */
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

/** The day that the arrows of a view lead to. */
export function stepFrom(view: CalendarView, date: string, step: 1 | -1): string {
  if (view === 'month') return addMonths(date, step)
  return addDays(date, view === 'week' ? 7 * step : step)
}

/** What a view shows, in words: 'Wednesday 25 November 2026', '23 Nov – 29 Nov 2026', 'November 2026'. */
export function rangeText(view: CalendarView, date: string): string {
  if (view === 'day') return formatDay(date, 'long')
  if (view === 'month') return formatDay(date, 'month')
  const { first, last } = rangeOf(view, date)
  const short = (day: string) => formatDay(day).split(' ').slice(1).join(' ')
  return `${short(first)} – ${short(last)} ${last.slice(0, 4)}`
}

/** Bookings by their day. */
export function byDay(bookings: readonly BusinessBooking[]): Map<string, BusinessBooking[]> {
  return Map.groupBy(bookings, ({ date }) => date)
}

type Span = Pick<BusinessBooking, 'start' | 'end'>

/**
 * The bookings of a day, in the order of their starts, in groups: what overlaps, itself or by others
 * between, is in one. Times are 'HH:MM', and so compare as texts.
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

/** How many of some bookings there are at a time. */
export function mostAtOnce(bookings: readonly Span[]): number {
  const at = ({ start }: Span) =>
    bookings.filter((other) => other.start <= start && start < other.end).length
  return Math.max(0, ...bookings.map(at))
}

/** The address's parameters for a view of a day. Those of the list, and an open booking, do not come along. */
export function calendarParams(view: BookingView, date: string): URLSearchParams {
  return new URLSearchParams(view === 'list' ? {} : { view, date })
}
