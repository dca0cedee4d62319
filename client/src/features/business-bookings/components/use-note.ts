import { useState } from 'react'
import { useSaveNote } from '../api/mutations'

type NoteInput = {
  businessId: string
  bookingId: string
  /** The note as last loaded; empty if there is none. */
  stored: string
}

/** The private note of a booking: the stored one until it is edited, then what was typed. */
export function useNote({ businessId, bookingId, stored }: NoteInput) {
  const [typed, setTyped] = useState<string | null>(null)
  const save = useSaveNote(businessId, bookingId)
  const text = typed ?? stored
  return {
    text,
    isDirty: typed !== null && typed.trim() !== stored,
    isPending: save.isPending,
    isSaved: save.isSuccess && save.variables === text.trim(),
    error: save.error,
    change: (value: string) => setTyped(value === stored ? null : value),
    save: () =>
      save.mutate(text.trim(), {
        // What was typed meanwhile is kept for the next save.
        onSuccess: () => setTyped((now) => (now === text ? null : now)),
      }),
  }
}

export type Note = ReturnType<typeof useNote>
