import * as z from 'zod/mini'
import { messages } from '../messages'
import type { ListKind } from './list'

/** The list of questions. Its order is the queue. */
export const ticketList: ListKind = {
  tab: 'support',
  filters: ['state'],
  sorts: [],
  defaultSort: { key: 'line', descending: false },
}

export const ticketStates = ['open', 'answered'] as const

/** Returns the state in the URL; null for all. */
export function readState(text: string): (typeof ticketStates)[number] | null {
  return ticketStates.find((state) => state === text) ?? null
}

/** Returns an `ilike` pattern that matches the literal text anywhere. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

export const maxAnswer = 4000

/** An answer to be sent; the table support_tickets enforces the same rules. */
export const answerSchema = z.object({
  answer: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, messages.support.answerMissing),
      z.maxLength(maxAnswer, messages.support.answerLong),
    ),
})
export type AnswerForm = z.infer<typeof answerSchema>
