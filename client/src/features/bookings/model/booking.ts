import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { addDays, formatDay, parseTime, wallClock, type Zone } from '@/lib/time'
import { messages } from '../messages'

/** A booking as its customer sees it. Date and times are on the business's clock. */
export type Booking = {
  id: string
  businessName: string
  /** Key of the business's page; null when it is no longer listed. */
  businessKey: string | null
  place: string
  serviceId: string | null
  serviceName: string
  /** Minutes. */
  duration: number
  price: number
  date: string
  start: string
  end: string
  zone: Zone
  /** As stored; see statusTone for what is not one of ours. */
  status: string
  /** What ended a cancelled one, and what the other side said to it. */
  cancelKind: string | null
  cancelReason: string | null
  notes: string | null
  /** Another time that the customer or the business has proposed. */
  proposal: { date: string; start: string; isOwn: boolean } | null
}

type Timed = Pick<Booking, 'date' | 'start' | 'end' | 'zone' | 'status'>

/** Whether an appointment is still to come or going on: not over, and not called off. */
export function isUpcoming({ date, end, zone, status }: Timed, now: Date): boolean {
  if (status !== 'pending' && status !== 'confirmed') return false
  const clock = wallClock(now, zone)
  return date > clock.date || (date === clock.date && (parseTime(end) ?? 0) > clock.minutes)
}

/** Whether its customer may still call it off: until it starts. The database decides. */
export function canCancel(booking: Timed, now: Date): boolean {
  const clock = wallClock(now, booking.zone)
  const { date, start } = booking
  const hasStarted =
    date < clock.date || (date === clock.date && (parseTime(start) ?? 0) <= clock.minutes)
  return isUpcoming(booking, now) && !hasStarted
}

/** What the other side, or nobody, did to a booking that is off; null when its customer did it. */
export function endingText({ cancelKind }: Pick<Booking, 'cancelKind'>): string | null {
  const known = Object.entries(messages.endings).find(([kind]) => kind === cancelKind)
  return known?.[1] ?? null
}

/** 'Wed 25 Nov, 11:00–12:00'; another year than now's is named. */
export function whenLabel({ date, start, end, zone }: Timed, now: Date): string {
  const year = date.slice(0, 4)
  const isThisYear = wallClock(now, zone).date.startsWith(year)
  return `${formatDay(date)}${isThisYear ? '' : ` ${year}`}, ${start}–${end}`
}

const nearDays = 14

/** 'Today', 'Tomorrow', 'In 5 days'; nothing for what is past or far. */
export function relativeDay(date: string, today: string): string | null {
  if (date === today) return messages.today
  for (let days = 1; days <= nearDays; days++) {
    if (addDays(today, days) === date) return days === 1 ? messages.tomorrow : messages.inDays(days)
  }
  return null
}

/** Why a booking could not be changed, in words. The database's rules name themselves. */
export function refusalText(thrown: unknown): string {
  const error = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([name]) => name === error.code)
  return known?.[1] ?? describeError(error)
}
