import * as z from 'zod/mini'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

const maxText = 100
const maxEmail = 254

/** Methods of verifying a claim. */
export const verificationMethods = [
  'email_domain',
  'phone_verification',
  'document_upload',
] as const

/** A claim to be sent; the table claim_requests enforces the same rules. */
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

/**
 * Returns the host of a business's website as it appears in mail addresses; null without a website.
 */
export function mailHost(website: string | null): string | null {
  return website === null ? null : new URL(website).hostname.replace(/^www\./, '')
}

/** The published contact details of a business. */
export type Published = { website: string | null; phone: string | null }

/**
 * Reports whether a verification method is possible. The database decides when a code is requested.
 */
export function isPossible(method: ClaimForm['method'], { website, phone }: Published): boolean {
  if (method === 'email_domain') return website !== null
  return method === 'document_upload' || phone?.startsWith('+') === true
}

/** Like claimSchema; an address for a code must be at the business's own domain. */
export function claimSchemaOf(published: Published) {
  const host = mailHost(published.website)
  return claimSchema.check(
    z.refine(
      ({ method, email }) =>
        method !== 'email_domain' || host === null || email.toLowerCase().endsWith(`@${host}`),
      { path: ['email'], error: messages.emailElsewhere(host ?? '') },
    ),
  )
}

/** Returns the message for a refused claim. */
export function claimRefusal(thrown: unknown): string {
  const error = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([code]) => code === error.code)
  return known?.[1] ?? describeError(error)
}
