import * as z from 'zod/mini'
import { parseTime } from '@/lib/time'
import { messages } from '../messages'

/** Maximum length of a reason; same as bookings_cancel_reason_size. */
export const reasonMax = 500
/**
 * Maximum length of the name and number of a customer entered by the business; the table has the
 * same limit.
 */
export const nameMax = 100
export const phoneMax = 30

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

const date = z.string().check(z.minLength(1, messages.dateMissing))
const time = z.string().check(z.refine((text) => parseTime(text) !== null, messages.timeMissing))

export const timeSchema = z.object({ date, time })
export type TimeForm = z.infer<typeof timeSchema>

export const walkInSchema = z.object({
  service: z.string().check(z.minLength(1, messages.serviceMissing)),
  date,
  time,
  name: z
    .string()
    .check(z.trim(), z.minLength(1, messages.nameMissing), z.maxLength(nameMax, messages.nameLong)),
  phone: z.string().check(z.trim(), z.maxLength(phoneMax, messages.phoneLong)),
})
export type WalkInForm = z.infer<typeof walkInSchema>
