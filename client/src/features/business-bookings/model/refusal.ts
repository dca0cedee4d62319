import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

/**
 * Returns the message for a change that the database refused, based on the violated rule's code.
 */
export function refusalText(thrown: unknown): string {
  const error = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([code]) => code === error.code)
  return known?.[1] ?? describeError(error)
}
