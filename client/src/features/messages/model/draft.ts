// Unsent texts by user and conversation. They are kept until the page is closed.
const drafts = new Map<string, string>()

/** The key of a user's draft to a business's owner, or to one of its customers. */
export const draftKey = (userId: string, businessId: string, customerId: string | null): string =>
  `${userId}/${businessId}/${customerId ?? ''}`

export const readDraft = (key: string): string => drafts.get(key) ?? ''

/** Stores an unsent text, so that visiting another screen does not lose it. */
export function storeDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key)
  else drafts.set(key, text)
}

/** Removes a text that was sent from its draft. What was typed meanwhile stays. */
export function removeSent(key: string, text: string): void {
  const draft = readDraft(key).trimStart()
  storeDraft(key, draft.startsWith(text) ? draft.slice(text.length).trimStart() : draft)
}
