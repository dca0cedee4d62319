import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { failureMessages } from '../failure-messages'
import { messages } from '../panel-messages'

export type Failure = {
  title: string
  text: string
  more?: string
  /** The time is not available: others are offered. */
  isAboutTime?: true
  /** It is unknown whether the booking was made. */
  isUnknown?: true
}

const { refused } = failureMessages

function isRefusal(code: string): code is keyof typeof refused {
  return Object.hasOwn(refused, code)
}

/** The message once it is known that a request without a response booked nothing. */
export const notBooked: Failure = {
  title: failureMessages.failed,
  text: failureMessages.lost,
  more: failureMessages.notSent,
}

/**
 * Returns the message for a failed booking: the requirements' text, and what happened to the
 * selection.
 */
export function failureOf(error: unknown): Failure {
  const { code, kind } = toAppError(error)
  if (code === 'invalid_service' || code === 'service_of_another_business') {
    return { title: messages.invalidService, text: messages.invalidServiceText }
  }
  if (code === 'booking_unknown') {
    return {
      title: failureMessages.unknown,
      text: failureMessages.unknownText,
      more: failureMessages.unknownMore,
      isUnknown: true,
    }
  }
  if (kind === 'network') {
    return {
      title: failureMessages.failed,
      text: describeError(error),
      more: failureMessages.notSent,
    }
  }
  if (kind === 'auth') return { title: messages.authRequired, text: messages.authRequiredText }
  const { failed: title, kept: more } = failureMessages
  // 23P01 = exclusion constraint: the slot was taken first.
  if (code === '23P01') return { title, text: failureMessages.taken, more, isAboutTime: true }
  if (!isRefusal(code)) return { title, text: failureMessages.failedText, more }
  const isAboutTime = code === 'booking_too_soon' || code === 'booking_too_far_ahead'
  return { title, text: refused[code], more, ...(isAboutTime && { isAboutTime }) }
}
