export const searchKeys = {
  synonyms: (term: string) => ['search', 'synonyms', term] as const,
}
