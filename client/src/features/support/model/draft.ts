import { emptyTicket, type TicketForm } from './ticket'

// What somebody typed and did not send. It lasts as long as the page.
const drafts = new Map<string, TicketForm>()

export const readDraft = (userId: string): TicketForm => drafts.get(userId) ?? emptyTicket

/** Keeps what was typed, so that another screen in between does not lose it. */
export function keepDraft(userId: string, typed: TicketForm): void {
  drafts.set(userId, typed)
}
