import { addDays, startOfWeek } from '@/lib/time'

/** Returns the weeks of a month's calendar, Monday first: at most six, complete ones. */
export function monthWeeks(month: string): string[][] {
  const first = `${month.slice(0, 7)}-01`
  const weeks: string[][] = []
  let monday = startOfWeek(first)
  do {
    const start = monday
    weeks.push(Array.from({ length: 7 }, (_, day) => addDays(start, day)))
    monday = addDays(monday, 7)
  } while (monday.slice(0, 7) === first.slice(0, 7))
  return weeks
}

/** Returns the first day of the month a number of months away. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const at = new Date(Date.UTC(year, month - 1 + months, 1))
  return at.toISOString().slice(0, 10)
}

/** Returns the day that an arrow key selects in a calendar, or null for any other key. */
export function dayForKey(key: string, date: string): string | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
  const step = steps[key]
  if (step !== undefined) return addDays(date, step)
  if (key === 'Home') return startOfWeek(date)
  if (key === 'End') return addDays(startOfWeek(date), 6)
  if (key === 'PageUp') return addMonths(date, -1)
  if (key === 'PageDown') return addMonths(date, 1)
  return null
}
