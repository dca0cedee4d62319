import * as z from 'zod/mini'
import { messages } from '../messages'

/** 7 to 15 digits after an optional plus (RULE-07). */
const phonePattern = /^\+?\d{7,15}$/

/** The country code for numbers of nine digits, which are local numbers of the market. */
const homeCode = '+34'

/**
 * Normalizes a number as it is stored: '600 12 34 56' and '0034 600 123 456' become '+34600123456'.
 */
export function normalPhone(typed: string): string {
  const bare = typed.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return /^[6-9]\d{8}$/.test(bare) ? `${homeCode}${bare}` : bare
}

export const phoneSchema = z.object({
  phone: z.pipe(
    z.pipe(z.string(), z.transform(normalPhone)),
    z.string().check(z.regex(phonePattern, messages.phoneInvalid)),
  ),
})
export type Phone = z.infer<typeof phoneSchema>
