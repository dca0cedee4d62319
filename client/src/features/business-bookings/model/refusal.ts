import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

/** Why the database refused a change, in words; its rules name themselves by a code. */
export function refusalText(thrown: unknown): string {
  const error = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([code]) => code === error.code)
  return known?.[1] ?? describeError(error)
}
