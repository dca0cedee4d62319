import { formatDay, parseTime, wallClock, type Zone } from '@/lib/time'
import { messages } from '../messages'

/** A booking as the business sees it. Date and times are in the business's time zone. */
export type BusinessBooking = {
  id: string
  customer: string
  /** Only for customers that the business entered itself. */
  phone: string | null
  isWalkIn: boolean
  serviceName: string
  /** In minutes. */
  duration: number
  price: number
  date: string
  start: string
  end: string
  zone: Zone
  status: string
  cancelKind: string | null
  cancelReason: string | null
  /** The customer's note. */
  notes: string | null
  /** The business's private note. */
  privateNote: string | null
  proposal: { date: string; start: string; isOwn: boolean } | null
}

type Timed = Pick<BusinessBooking, 'date' | 'start' | 'zone'>

const dayMinutes = 1440
const hourMinutes = 60

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}

/**
 * Returns the minutes until a booking starts, in the business's time zone; negative once it has
 * started.
 */
export function minutesUntil({ date, start, zone }: Timed, now: Date): number {
  const clock = wallClock(now, zone)
  return daysBetween(clock.date, date) * dayMinutes + (parseTime(start) ?? 0) - clock.minutes
}

/** Returns how long a request can still be answered: until it starts. */
export function timeLeft(booking: Timed, now: Date): string {
  const minutes = minutesUntil(booking, now)
  if (minutes <= 0) return messages.tooLate
  if (minutes < hourMinutes) return messages.minutesLeft(minutes)
  if (minutes < 2 * dayMinutes) return messages.hoursLeft(Math.floor(minutes / hourMinutes))
  return messages.daysLeft(Math.floor(minutes / dayMinutes))
}

/**
 * Formats the time of a booking: 'Wed 25 Nov, 11:00–12:00'; with the year if it is not the current
 * one.
 */
export function whenText(
  { date, start, end, zone }: Timed & Pick<BusinessBooking, 'end'>,
  now: Date,
): string {
  const year = date.slice(0, 4)
  const isThisYear = wallClock(now, zone).date.startsWith(year)
  return `${formatDay(date)}${isThisYear ? '' : ` ${year}`}, ${start}–${end}`
}

export type BookingAction = 'accept' | 'decline' | 'complete' | 'no-show' | 'cancel' | 'move'

type State = Timed & Pick<BusinessBooking, 'status' | 'cancelKind'>

/**
 * Returns the actions that a business has on a booking now. The database decides
 * (set_booking_status, mark_no_show).
 */
export function actionsFor(booking: State, now: Date): BookingAction[] {
  const hasStarted = minutesUntil(booking, now) <= 0
  switch (booking.status) {
    case 'pending':
      return hasStarted ? ['decline'] : ['accept', 'decline', 'move']
    case 'confirmed':
      return hasStarted ? ['complete', 'no-show', 'cancel'] : ['move', 'cancel']
    case 'completed':
      return ['no-show']
    case 'cancelled':
      return booking.cancelKind === 'no_show' ? ['complete'] : []
    default:
      return []
  }
}
