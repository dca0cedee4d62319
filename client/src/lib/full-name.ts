import * as z from 'zod/mini'
import { stripMarkup } from './text'

export const fullNameWords = {
  missing: 'Please enter your full name',
  long: 'Full name cannot exceed 100 characters',
} as const

/** A person's name as it is stored: without markup, at most 100 characters (RULE-06). */
export const fullName = z.pipe(
  z.pipe(z.string(), z.transform(stripMarkup)),
  z.string().check(z.minLength(1, fullNameWords.missing), z.maxLength(100, fullNameWords.long)),
)
