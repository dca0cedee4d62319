import * as z from 'zod/mini'
import { formMessages as messages } from '../form-messages'

const text = (min: string, most: number, max: string) =>
  z.string().check(z.trim(), z.minLength(2, min), z.maxLength(most, max))

/** The application form's schema (SELLER-01). The table has the same limits. */
export const applicationSchema = z.object({
  businessName: text(messages.nameShort, 100, messages.nameLong),
  businessType: text(messages.typeShort, 100, messages.typeLong),
  location: text(messages.locationShort, 200, messages.locationLong),
  description: z.string().check(z.trim(), z.maxLength(2000, messages.descriptionLong)),
})
export type ApplicationForm = z.infer<typeof applicationSchema>
