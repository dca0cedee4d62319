import * as z from 'zod/mini'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

export const maxSubject = 120
export const maxMessage = 4000

/** A question to be sent; the table support_tickets enforces the same rules. */
export const ticketSchema = z.object({
  subject: z
    .string()
    .check(
      z.trim(),
      z.minLength(3, messages.subjectShort),
      z.maxLength(maxSubject, messages.subjectLong),
    ),
  message: z
    .string()
    .check(
      z.trim(),
      z.minLength(10, messages.messageShort),
      z.maxLength(maxMessage, messages.messageLong),
    ),
})
export type TicketForm = z.infer<typeof ticketSchema>

export const emptyTicket: TicketForm = { subject: '', message: '' }

export type Ticket = TicketForm & {
  id: string
  is_priority: boolean
  answer: string | null
  answered_at: string | null
  created_at: string
}

const failures = new Map<string, string>(Object.entries(messages.failures))

/** Returns why a question was not sent. */
export function sendFailure(error: unknown): string {
  return failures.get(toAppError(error).code) ?? `${describeError(error)} ${messages.kept}`
}

/** Reports whether a question without a response may have been stored. */
export function mayBeStored(error: unknown): boolean {
  const { code, kind } = toAppError(error)
  return !failures.has(code) && (kind === 'network' || kind === 'server')
}

/** Reports whether a question is among the stored ones. */
export function isAmong(stored: readonly TicketForm[], { subject, message }: TicketForm): boolean {
  return stored.some((one) => one.subject === subject && one.message === message)
}
