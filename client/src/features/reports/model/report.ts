import * as z from 'zod/mini'
import { messages } from '../dialog-messages'

/** The subject of a report: a business, a review or a person. */
export type Reported = { type: keyof typeof messages.reasons; id: string; name: string }

const maxDetails = 1000

export const reportSchema = z.object({
  reason: z.string().check(z.minLength(1, messages.reasonRequired)),
  details: z.string().check(z.trim(), z.maxLength(maxDetails, messages.detailsTooLong)),
})

export type ReportValues = z.infer<typeof reportSchema>
