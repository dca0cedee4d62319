import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

const known = new Map<string, string>(Object.entries(messages.failures))

/** Returns why a message was not sent. */
export function sendFailure(error: unknown): string {
  return known.get(toAppError(error).code) ?? `${describeError(error)} ${messages.kept}`
}
