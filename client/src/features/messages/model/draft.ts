// What was typed and not sent, by the conversation it is for. It lasts as long as the page.
const drafts = new Map<string, string>()

/** What a message is for: a business's owner, or one of its customers. */
export const draftKey = (businessId: string, customerId: string | null): string =>
  `${businessId}/${customerId ?? ''}`

export const readDraft = (key: string): string => drafts.get(key) ?? ''

/** Keeps what was typed, so that another screen in between does not lose it. */
export function keepDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key)
  else drafts.set(key, text)
}
