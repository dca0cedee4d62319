import { formatMinutes, type Weekday, weekdays } from '@/lib/time'

export type DayHours = { open: string; close: string; isOpen: boolean }
export type Week = Record<Weekday, DayHours>

const open: DayHours = { open: '09:00', close: '17:00', isOpen: true }
const shut: DayHours = { ...open, isOpen: false }

function weekOf(dayOf: (weekday: Weekday) => DayHours): Week {
  const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = weekdays
  return {
    monday: dayOf(monday),
    tuesday: dayOf(tuesday),
    wednesday: dayOf(wednesday),
    thursday: dayOf(thursday),
    friday: dayOf(friday),
    saturday: dayOf(saturday),
    sunday: dayOf(sunday),
  }
}

function isWeekend(weekday: Weekday): boolean {
  return weekday === 'saturday' || weekday === 'sunday'
}

/** Monday to Friday 09:00-17:00, Saturday and Sunday closed (OWNER-17). */
export const defaultWeek: Week = weekOf((weekday) => (isWeekend(weekday) ? shut : open))

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readDay(value: unknown): DayHours {
  // A missing day is closed.
  if (!isRecord(value)) return shut
  return {
    open: typeof value.open === 'string' ? value.open : open.open,
    close: typeof value.close === 'string' ? value.close : open.close,
    isOpen: value.closed !== true && value.isOpen !== false,
  }
}

/** Parses the stored week (DATA-09); null if there is none, or a text instead. */
export function readWeek(stored: unknown): Week | null {
  if (!isRecord(stored) || !isRecord(stored.structured)) return null
  const { structured } = stored
  return weekOf((weekday) => readDay(structured[weekday]))
}

/** Returns hours stored as a text; otherwise ''. */
export function readHoursText(stored: unknown): string {
  return typeof stored === 'string' ? stored.trim() : ''
}

/** Returns a week in its stored form. */
export function writeWeek(week: Week): { structured: Week } {
  return { structured: week }
}

const stepMinutes = 30
const steps = Array.from({ length: (24 * 60) / stepMinutes }, (_, step) =>
  formatMinutes(step * stepMinutes),
)

/**
 * Returns the options of a time picker: 00:00 to 23:30 (OWNER-18), and the stored time if it is in
 * between.
 */
export function timeOptions(stored: string): string[] {
  return steps.includes(stored) ? steps : [...steps, stored].sort()
}

/** Returns a note about a day's hours. */
export function dayNote({
  open: from,
  close: to,
  isOpen,
}: DayHours): 'all-day' | 'overnight' | null {
  if (!isOpen || to > from) return null
  return to === from ? 'all-day' : 'overnight'
}

export type CopyTarget = 'weekdays' | 'all'

/** Returns the week with a day's hours copied to other days. */
export function copyDay(week: Week, from: Weekday, target: CopyTarget | Weekday): Week {
  const takes = (weekday: Weekday) =>
    target === 'all' || (target === 'weekdays' ? !isWeekend(weekday) : weekday === target)
  return weekOf((weekday) => (takes(weekday) ? { ...week[from] } : week[weekday]))
}
