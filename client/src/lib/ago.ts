import { addDays, formatDay, formatMinutes, wallClock } from './time'

const words = {
  now: 'Just now',
  minutes: (n: number) => `${n} min ago`,
  hours: (n: number) => `${n} h ago`,
  yesterday: 'Yesterday',
} as const

/** Formats an age: 'Just now', '5 min ago', '3 h ago', 'Yesterday', 'Wed 25 Nov'. */
export function agoLabel(createdAt: string, now: Date): string {
  const at = new Date(createdAt)
  const minutes = Math.max(0, Math.floor((now.valueOf() - at.valueOf()) / 60_000))
  if (minutes < 1) return words.now
  if (minutes < 60) return words.minutes(minutes)
  // The reader's own day would also be correct; a single zone keeps the text the same everywhere.
  const then = wallClock(at, 'Europe/Madrid')
  const today = wallClock(now, 'Europe/Madrid').date
  if (then.date === today) return words.hours(Math.floor(minutes / 60))
  const time = formatMinutes(then.minutes)
  if (then.date === addDays(today, -1)) return `${words.yesterday}, ${time}`
  const year = then.date.slice(0, 4)
  return today.startsWith(year) ? formatDay(then.date) : `${formatDay(then.date)} ${year}`
}
