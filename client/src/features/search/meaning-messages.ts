import { translated } from '@/lib/translated'

/** Texts for how a search was interpreted. */
export const meaningMessages = translated('searchMeaning', {
  resultsInstead: 'Showing results for',
  unknownWords: (words: readonly string[]) =>
    `No business has ${words.map((word) => `“${word}”`).join(' or ')}.`,
})
