import * as z from 'zod/mini'
import { messages } from '../messages'

// Source: supabase/auth accepts names of up to 120 characters.
const longestName = 120

export const passkeyNameSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, messages.passkeyNameMissing),
      z.maxLength(longestName, messages.passkeyNameLong),
    ),
})
