export const searchKeys = {
  suggestions: (term: string) => ['search', 'suggestions', term] as const,
  synonyms: (term: string) => ['search', 'synonyms', term] as const,
}
