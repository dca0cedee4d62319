import * as z from 'zod/mini'
import { writeMessages } from '../write-messages'

const length = { min: 10, max: 1000 } as const

/** A review as entered: stars and an optional text (RULE-20, C-49). */
export const reviewSchema = z.object({
  /** A radio button's value: '1' to '5'; null until one is selected. */
  rating: z
    .string(writeMessages.ratingRequired)
    .check(z.regex(/^[1-5]$/, writeMessages.ratingRequired)),
  comment: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || (text.length >= length.min && text.length <= length.max),
      writeMessages.commentLength,
    ),
  ),
})

export type ReviewValues = z.infer<typeof reviewSchema>
