import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { addDays, formatDay, parseTime, wallClock, type Zone } from '@/lib/time'
import { messages } from '../messages'

/** A booking as its customer sees it. Date and times are in the business's time zone. */
export type Booking = {
  id: string
  businessName: string
  /** Key of the business's page; null if it is no longer listed. */
  businessKey: string | null
  place: string
  serviceId: string | null
  serviceName: string
  /** In minutes. */
  duration: number
  price: number
  date: string
  start: string
  end: string
  zone: Zone
  /** As stored; statusTone also handles unknown values. */
  status: string
  /** Why a cancelled booking ended, and the other side's message about it. */
  cancelKind: string | null
  cancelReason: string | null
  notes: string | null
  /** A time proposed by the customer or the business. */
  proposal: { date: string; start: string; isOwn: boolean } | null
}

type Timed = Pick<Booking, 'date' | 'start' | 'end' | 'zone' | 'status'>

/** Reports whether an appointment is in the future or in progress, and not cancelled. */
export function isUpcoming({ date, end, zone, status }: Timed, now: Date): boolean {
  if (status !== 'pending' && status !== 'confirmed') return false
  const clock = wallClock(now, zone)
  return date > clock.date || (date === clock.date && (parseTime(end) ?? 0) > clock.minutes)
}

/** Reports whether its customer may still cancel it: until it starts. The database decides. */
export function canCancel(booking: Timed, now: Date): boolean {
  const clock = wallClock(now, booking.zone)
  const { date, start } = booking
  const hasStarted =
    date < clock.date || (date === clock.date && (parseTime(start) ?? 0) <= clock.minutes)
  return isUpcoming(booking, now) && !hasStarted
}

/** Returns how a cancelled booking ended; null if its customer cancelled it. */
export function endingText({ cancelKind }: Pick<Booking, 'cancelKind'>): string | null {
  const known = Object.entries(messages.endings).find(([kind]) => kind === cancelKind)
  return known?.[1] ?? null
}

/**
 * Formats the time of a booking: 'Wed 25 Nov, 11:00–12:00'; with the year if it is not the current
 * one.
 */
export function whenLabel({ date, start, end, zone }: Timed, now: Date): string {
  const year = date.slice(0, 4)
  const isThisYear = wallClock(now, zone).date.startsWith(year)
  return `${formatDay(date)}${isThisYear ? '' : ` ${year}`}, ${start}–${end}`
}

const nearDays = 14

/**
 * Formats a day relative to today: 'Today', 'Tomorrow', 'In 5 days'; null for past or distant days.
 */
export function relativeDay(date: string, today: string): string | null {
  if (date === today) return messages.today
  for (let days = 1; days <= nearDays; days++) {
    if (addDays(today, days) === date) return days === 1 ? messages.tomorrow : messages.inDays(days)
  }
  return null
}

/** Returns the message for a refused change of a booking, based on the violated rule's code. */
export function refusalText(thrown: unknown): string {
  const error = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([name]) => name === error.code)
  return known?.[1] ?? describeError(error)
}
