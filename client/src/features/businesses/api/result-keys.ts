import { businessKeys } from './keys'

/** Query keys of additional data for results, in a separate file because it loads later. */
export const resultKeys = {
  nextSlots: (ids: readonly string[]) => [...businessKeys.all, 'next-slots', ids] as const,
  matches: (ids: readonly string[], text: string) =>
    [...businessKeys.all, 'matches', ids, text] as const,
  count: (terms: object) => [...businessKeys.all, 'count', terms] as const,
  alternatives: (terms: object) => [...businessKeys.all, 'alternatives', terms] as const,
}
