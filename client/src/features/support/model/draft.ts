import { emptyTicket, type TicketForm } from './ticket'

// Unsent questions. They are kept until the page is closed.
const drafts = new Map<string, TicketForm>()

export const readDraft = (userId: string): TicketForm => drafts.get(userId) ?? emptyTicket

/** Stores an unsent question, so that visiting another screen does not lose it. */
export function storeDraft(userId: string, typed: TicketForm): void {
  drafts.set(userId, typed)
}
