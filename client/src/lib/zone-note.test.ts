import { expect, it } from 'vitest'
import type { Zone } from './time'
import { zoneNote } from './zone-note'

it("the zone is named where the reader's clock shows another time", () => {
  const note = (zone: Zone, readerZone: string, date = '2026-11-25') =>
    zoneNote({ date, zone }, readerZone)
  expect(note('Europe/Madrid', 'Europe/Andorra')).toBeNull()
  expect(note('Atlantic/Canary', 'Europe/Madrid')).toBe('Canary Islands time')
  expect(note('Europe/Madrid', 'UTC')).toBe('Spain time')
  expect(note('Atlantic/Canary', 'UTC')).toBeNull()
  // Algiers has no summer time: the day of the booking matters, not the day of reading.
  expect(note('Europe/Madrid', 'Africa/Algiers', '2027-03-27')).toBeNull()
  expect(note('Europe/Madrid', 'Africa/Algiers', '2027-03-28')).toBe('Spain time')
})
