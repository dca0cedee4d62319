import { parseTime, wallClock, type Zone } from '@/lib/time'

/** An appointment for a calendar. Date and times are in the business's time zone. */
export type Appointment = {
  id: string
  title: string
  date: string
  start: string
  /** In minutes. */
  duration: number
  zone: Zone
  place: string
  url: string
}

const minute = 60_000

/**
 * Returns the instant at which a zone's clock shows a day and time; the first one if it occurs
 * twice.
 */
export function momentOf(date: string, time: string, zone: Zone): Date {
  const asUtc = new Date(`${date}T00:00:00Z`).valueOf() + (parseTime(time) ?? 0) * minute
  // The zone's local time at that instant gives its offset. Repeat once, because a change of the
  // clock may lie in between.
  let moment = asUtc
  for (let round = 0; round < 2; round++) {
    const shown = wallClock(new Date(moment), zone)
    const shownUtc = new Date(`${shown.date}T00:00:00Z`).valueOf() + shown.minutes * minute
    moment += asUtc - shownUtc
  }
  return new Date(moment)
}

function stamp(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, '')
}

// RFC 5545 §3.3.11: escape special characters in a text.
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\r?\n/g, '\\n')
}

const maxOctets = 75

// RFC 5545 §3.1: lines have at most 75 octets and continue after a space; characters are not split.
function fold(line: string): string {
  const encoder = new TextEncoder()
  let folded = ''
  let octets = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (octets + size > maxOctets) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += size
  }
  return folded
}

/** Returns an iCalendar file with one appointment, in UTC. */
export function calendarFile(appointment: Appointment, now: Date): string {
  const { id, title, date, start, duration, zone, place, url } = appointment
  const from = momentOf(date, start, zone)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Plaza//Bookings//EN',
    'BEGIN:VEVENT',
    `UID:${id}@plaza`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART:${stamp(from)}`,
    `DTEND:${stamp(new Date(from.valueOf() + duration * minute))}`,
    `SUMMARY:${escaped(title)}`,
    `LOCATION:${escaped(place)}`,
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
