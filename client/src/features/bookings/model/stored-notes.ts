import { readStored, writeStored } from '@/lib/storage'

/** Storage key for the notes of a booking while the user signs in, perhaps in another tab. */
const notesKey = 'plaza.booking-notes'
/** How long they are kept, in milliseconds. */
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

/** Stores the notes of a booking at a business; an empty text removes them. */
export function storeNotes(businessId: string, notes: string): void {
  writeStored(notesKey, notes === '' ? null : { businessId, notes, at: Date.now() })
}

/** Returns the stored notes of a booking at a business. */
export function storedNotes(businessId: string): string {
  const kept = readStored(notesKey, parse)
  return kept?.businessId === businessId ? kept.notes : ''
}
