import { dateFormat } from './formats'
import type { Zone } from './time'
import { translated } from './translated'

export const zoneTexts = translated('zones', {
  'Europe/Madrid': 'Spain time',
  'Europe/Andorra': 'Andorra time',
  'Atlantic/Canary': 'Canary Islands time',
} satisfies Record<Zone, string>)

/** Returns the reader's own time zone. */
export function readerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * Returns 'Canary Islands time' if the reader's local time differs on that day (yyyy-MM-dd);
 * otherwise null.
 */
export function zoneNote(
  { date, zone }: { date: string; zone: Zone },
  reader: string,
): string | null {
  const at = new Date(`${date}T12:00:00Z`)
  const shown = (timeZone: string) =>
    dateFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
  return shown(zone) === shown(reader) ? null : zoneTexts[zone]
}
