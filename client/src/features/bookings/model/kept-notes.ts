import { readStored, writeStored } from '@/lib/storage'

/** Where the notes of a booking wait while its maker signs in, perhaps in another tab. */
const notesKey = 'plaza.booking-notes'
/** For how long they wait, in milliseconds. */
const keptForMs = 3_600_000

type Kept = { businessId: string; notes: string; at: number }

function parse(value: unknown): Kept | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('businessId' in value && 'notes' in value && 'at' in value)) return null
  const { businessId, notes, at } = value
  if (typeof businessId !== 'string' || typeof notes !== 'string' || typeof at !== 'number') {
    return null
  }
  return Math.abs(Date.now() - at) < keptForMs ? { businessId, notes, at } : null
}

/** Keeps the notes of a booking at a business; empty ones are forgotten. */
export function keepNotes(businessId: string, notes: string): void {
  writeStored(notesKey, notes === '' ? null : { businessId, notes, at: Date.now() })
}

/** The notes that wait for a booking at a business. */
export function keptNotes(businessId: string): string {
  const kept = readStored(notesKey, parse)
  return kept?.businessId === businessId ? kept.notes : ''
}
