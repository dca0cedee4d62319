import { type Weekday, weekdays } from '@/lib/time'

/** The sums of a date range. Only completed bookings count toward revenue. */
export type Totals = { bookings: number; completed: number; cancelled: number; revenue: number }

export type ServiceFigures = {
  /** Distinguishes services of the same name. */
  key: string
  name: string
  bookings: number
  pending: number
  confirmed: number
  completed: number
  cancelled: number
  revenue: number
}

/** The number of bookings that start in an hour of a weekday (1 is Monday). */
export type HourCount = { weekday: number; hour: number; bookings: number }

/** The revenue of a period; both days are included. */
export type RevenuePeriod = { starts: string; ends: string; completed: number; revenue: number }

/** Returns a part of a whole in percent; 0 if the whole is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

/** Grades a completion rate as good (90 or more), fair (70 or more) or poor (METRICS-07). */
export function rateGrade(percent: number): 'good' | 'fair' | 'poor' {
  if (percent >= 90) return 'good'
  return percent >= 70 ? 'fair' : 'poor'
}

/** Returns the bookings of each of the 24 hours, for all days or one weekday (METRICS-05). */
export function hoursOf(counts: readonly HourCount[], weekday: Weekday | null): number[] {
  const day = weekday === null ? null : weekdays.indexOf(weekday) + 1
  const hours = Array.from({ length: 24 }, () => 0)
  for (const count of counts) {
    if (day !== null && count.weekday !== day) continue
    hours[count.hour] = (hours[count.hour] ?? 0) + count.bookings
  }
  return hours
}

/** Returns the hour with most bookings, the earlier one if equal; null if there are none. */
export function busiestHour(hours: readonly number[]): number | null {
  const most = Math.max(...hours)
  return most > 0 ? hours.indexOf(most) : null
}

/** Returns the element with the highest figure above 0, the first one if equal. */
export function highest<T>(list: readonly T[], figure: (one: T) => number): T | undefined {
  let best: T | undefined
  for (const one of list) {
    if (figure(one) > (best === undefined ? 0 : figure(best))) best = one
  }
  return best
}

/** Returns the average revenue of a completed booking. */
export function averageOf({ revenue, completed }: Totals): number {
  return completed === 0 ? 0 : revenue / completed
}
