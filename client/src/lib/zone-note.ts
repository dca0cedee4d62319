import { dateFormat } from './formats'
import type { Zone } from './time'

const places: Record<Zone, string> = {
  'Europe/Madrid': 'Spain',
  'Europe/Andorra': 'Andorra',
  'Atlantic/Canary': 'Canary Islands',
}

/** The zone of the reader's own clock. */
export function readerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** 'Canary Islands time', where the reader's clock shows another that day (yyyy-MM-dd); null elsewhere. */
export function zoneNote(
  { date, zone }: { date: string; zone: Zone },
  reader: string,
): string | null {
  const at = new Date(`${date}T12:00:00Z`)
  const shown = (timeZone: string) =>
    dateFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
  return shown(zone) === shown(reader) ? null : `${places[zone]} time`
}
