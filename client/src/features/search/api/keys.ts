export const searchKeys = {
  /** The key of `what` for the empty text. */
  recent: ['search', 'what', ''] as const,
  what: (text: string, words: string) =>
    ['search', 'what', text.trim().toLowerCase(), words] as const,
  places: (text: string, words: string) =>
    ['search', 'places', text.trim().toLowerCase(), words] as const,
  alerts: (userId: string) => ['search', 'alerts', userId] as const,
  synonyms: (term: string) => ['search', 'synonyms', term] as const,
}
