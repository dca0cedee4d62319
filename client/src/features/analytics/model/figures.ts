import { type Weekday, weekdays } from '@/lib/time'

/** The sums of some dates. Only completed bookings count toward revenue. */
export type Totals = { bookings: number; completed: number; cancelled: number; revenue: number }

export type ServiceFigures = {
  /** Tells services of one name apart. */
  key: string
  name: string
  bookings: number
  pending: number
  confirmed: number
  completed: number
  cancelled: number
  revenue: number
}

/** How many bookings start in an hour of a weekday (1 is Monday). */
export type HourCount = { weekday: number; hour: number; bookings: number }

/** The revenue of some days, both included. */
export type RevenuePeriod = { starts: string; ends: string; completed: number; revenue: number }

/** A part of a whole in percent; of nothing it is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

/** Whether a completion rate is good (90 or more), fair (70 or more) or poor (METRICS-07). */
export function rateGrade(percent: number): 'good' | 'fair' | 'poor' {
  if (percent >= 90) return 'good'
  return percent >= 70 ? 'fair' : 'poor'
}

/** The bookings of each of the 24 hours, of all days or of one weekday (METRICS-05). */
export function hoursOf(counts: readonly HourCount[], weekday: Weekday | null): number[] {
  const day = weekday === null ? null : weekdays.indexOf(weekday) + 1
  const hours = Array.from({ length: 24 }, () => 0)
  for (const count of counts) {
    if (day !== null && count.weekday !== day) continue
    hours[count.hour] = (hours[count.hour] ?? 0) + count.bookings
  }
  return hours
}

/** The hour with most bookings, the earlier of equals; null without any. */
export function busiestHour(hours: readonly number[]): number | null {
  const most = Math.max(...hours)
  return most > 0 ? hours.indexOf(most) : null
}

/** The one with the highest figure above 0, the first of equals. */
export function highest<T>(list: readonly T[], figure: (one: T) => number): T | undefined {
  let best: T | undefined
  for (const one of list) {
    if (figure(one) > (best === undefined ? 0 : figure(best))) best = one
  }
  return best
}

/** What a completed booking brought on average. */
export function averageOf({ revenue, completed }: Totals): number {
  return completed === 0 ? 0 : revenue / completed
}
