import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { accessMessages } from '../access-messages'
import { messages } from '../messages'

const texts: Record<string, string> = messages.refusals

/** Reports whether the database says that the caller is not, or no longer, an admin. */
export function isAccessLost(error: unknown): boolean {
  const { code } = toAppError(error)
  return code === 'not_admin' || code === '42501'
}

/** Returns the message for a refusal; never the server's own text (S-51). */
export function refusalText(error: unknown): string {
  if (isAccessLost(error)) return accessMessages.denied(accessMessages.notAdmin)
  return texts[toAppError(error).code] ?? describeError(error)
}
