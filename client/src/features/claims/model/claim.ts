import * as z from 'zod/mini'
import { describeError, toAppError } from '@/lib/errors'
import { messages } from '../messages'

const maxText = 100
const maxEmail = 254

/** Ways of checking a claim that need nothing to be uploaded. */
export const verificationMethods = ['email_domain', 'phone_verification'] as const

/** A claim as it is sent; the table claim_requests holds the same rules. */
export const claimSchema = z.object({
  fullName: z
    .string()
    .check(z.trim(), z.minLength(1, messages.nameMissing), z.maxLength(maxText, messages.nameLong)),
  email: z
    .string()
    .check(
      z.trim(),
      z.regex(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, messages.emailBad),
      z.maxLength(maxEmail, messages.emailBad),
    ),
  role: z
    .string()
    .check(z.trim(), z.minLength(1, messages.roleMissing), z.maxLength(maxText, messages.roleLong)),
  method: z.enum(verificationMethods),
})
export type ClaimForm = z.infer<typeof claimSchema>

/** Why a claim was not taken, in words. */
export function claimRefusal(thrown: unknown): string {
  const error = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([code]) => code === error.code)
  return known?.[1] ?? describeError(error)
}
