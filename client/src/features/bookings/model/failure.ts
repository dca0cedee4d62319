import { toAppError } from '@/lib/errors'
import { messages } from '../panel-messages'

export type Failure = { title: string; text: string; more?: string }

const { refused } = messages

function isRefusal(code: string): code is keyof typeof refused {
  return Object.hasOwn(refused, code)
}

/** What a person is told when a booking fails: the documents' words, then what happened to the choice. */
export function failureOf(error: unknown): Failure {
  const { code, kind } = toAppError(error)
  if (code === 'invalid_service' || code === 'service_of_another_business') {
    return { title: messages.invalidService, text: messages.invalidServiceText }
  }
  if (kind === 'auth') return { title: messages.authRequired, text: messages.authRequiredText }
  if (isRefusal(code)) return { title: messages.failed, text: refused[code], more: messages.kept }
  // 23P01 = exclusion constraint: someone took the slot first.
  const more = code === '23P01' ? messages.taken : messages.kept
  return { title: messages.failed, text: messages.failedText, more }
}
