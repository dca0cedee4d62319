import * as z from 'zod/mini'
import { messages } from '../messages'

/** The longest reason; bookings_cancel_reason_size holds the same. */
export const reasonMax = 500
/** The longest note for oneself; booking_notes_note_size holds the same. */
export const noteMax = 1000

export const reasonSchema = z.object({
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, messages.reasonMissing),
      z.maxLength(reasonMax, messages.reasonLong),
    ),
})
export type ReasonForm = z.infer<typeof reasonSchema>
