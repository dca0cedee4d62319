import { formatMinutes, parseTime, type Weekday, weekdays } from '@/lib/time'

/** A time range within a day, 'HH:MM' to 'HH:MM'; '24:00' is the end of the day. */
export type Slot = { start: string; end: string }
export type DaySchedule = { isOpen: boolean; slots: readonly Slot[] }
export type Schedule = Record<Weekday, DaySchedule>

const stepMinutes = 30
const dayMinutes = 24 * 60
/** The database's maximum of slots per day. */
const maxSlots = 12
const defaultSlot: Slot = { start: '09:00', end: '17:00' }
const endOfDay = '24:00'

/** 00:00 to 23:30 in steps of 30 minutes (METRICS-27). */
export const startTimes = Array.from({ length: dayMinutes / stepMinutes }, (_, step) =>
  formatMinutes(step * stepMinutes),
)
/** Like the start times, half an hour later; 24:00 is the end of the day. */
export const endTimes = [...startTimes.slice(1), endOfDay]

const open: DaySchedule = { isOpen: true, slots: [defaultSlot] }
const closed: DaySchedule = { isOpen: false, slots: [] }

/** Builds a schedule from a function of the weekday. */
function scheduleOf(make: (weekday: Weekday) => DaySchedule): Schedule {
  const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = weekdays
  return {
    monday: make(monday),
    tuesday: make(tuesday),
    wednesday: make(wednesday),
    thursday: make(thursday),
    friday: make(friday),
    saturday: make(saturday),
    sunday: make(sunday),
  }
}

/** Monday to Friday, 09:00 to 17:00 (METRICS-30). */
export const defaultSchedule = scheduleOf((weekday) =>
  weekday === 'saturday' || weekday === 'sunday' ? closed : open,
)

function isSlot(value: unknown): value is Slot {
  if (typeof value !== 'object' || value === null) return false
  return (
    typeof Reflect.get(value, 'start') === 'string' && typeof Reflect.get(value, 'end') === 'string'
  )
}

type StoredDay = { weekday: string; is_open: boolean; slots: unknown }

/** Parses the stored schedule; null if none was saved. */
export function parseSchedule(rows: readonly StoredDay[]): Schedule | null {
  if (rows.length === 0) return null
  return scheduleOf((weekday) => {
    const row = rows.find((one) => one.weekday === weekday)
    const slots = Array.isArray(row?.slots) ? row.slots.filter(isSlot) : []
    return row?.is_open === true && slots.length > 0 ? { isOpen: true, slots } : closed
  })
}

/**
 * Opens a day, with the default slot if it has none, or closes it and removes its slots
 * (METRICS-28).
 */
export function setOpen(day: DaySchedule, isOpen: boolean): DaySchedule {
  if (!isOpen) return closed
  return day.slots.length === 0 ? open : { ...day, isOpen }
}

/** Reports whether another slot fits after the last one. */
export function canAddSlot({ slots }: DaySchedule): boolean {
  const last = slots.at(-1)
  return slots.length < maxSlots && last !== undefined && minutesOf(last.end) < dayMinutes
}

/** Adds a slot of one hour after the last one, or of the rest of the day. */
export function addSlot(day: DaySchedule): DaySchedule {
  const last = day.slots.at(-1)
  if (!last || !canAddSlot(day)) return day
  const end = minutesOf(last.end) + 2 * stepMinutes
  const slot = { start: last.end, end: end >= dayMinutes ? endOfDay : formatMinutes(end) }
  return { ...day, slots: [...day.slots, slot] }
}

/** Removes a slot; the last one of an open day is kept (METRICS-29). */
export function removeSlot(day: DaySchedule, index: number): DaySchedule {
  if (day.slots.length <= 1) return day
  return { ...day, slots: day.slots.filter((_, at) => at !== index) }
}

export function setSlot(day: DaySchedule, index: number, change: Partial<Slot>): DaySchedule {
  return {
    ...day,
    slots: day.slots.map((slot, at) => (at === index ? { ...slot, ...change } : slot)),
  }
}

function minutesOf(time: string): number {
  return parseTime(time) ?? 0
}

function inOrder(slots: readonly Slot[]): Slot[] {
  return [...slots].sort((a, b) => minutesOf(a.start) - minutesOf(b.start))
}

/** Returns the problem for which the database would refuse a day. */
export function problemOf(day: DaySchedule): 'order' | 'overlap' | null {
  const slots = inOrder(day.slots)
  if (slots.some(({ start, end }) => minutesOf(end) <= minutesOf(start))) return 'order'
  const overlaps = slots.some((slot, at) => {
    const next = slots[at + 1]
    return next !== undefined && minutesOf(next.start) < minutesOf(slot.end)
  })
  return overlaps ? 'overlap' : null
}

/** Returns the schedule with the slots of each day sorted, as it is stored. */
export function sorted(schedule: Schedule): Schedule {
  return scheduleOf((weekday) => ({
    ...schedule[weekday],
    slots: inOrder(schedule[weekday].slots),
  }))
}
