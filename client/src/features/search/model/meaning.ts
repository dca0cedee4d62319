import { fold } from '@/lib/text'

/** A word as it was typed, and the one it was taken for; null where it was left out. */
type Meaning = { typed: string; meant: string | null }

/** A text as it was understood, and its words that were not; null where it was as it was typed. */
export function understood(text: string, meaning: readonly Meaning[]) {
  if (meaning.length === 0) return null
  const meantBy = new Map(meaning.map(({ typed, meant }) => [typed, meant]))
  const words = text.split(/\s+/).flatMap((word) => {
    const meant = meantBy.get(fold(word).replace(/[^\p{L}\p{N}]/gu, ''))
    return meant === undefined ? word : (meant ?? [])
  })
  return {
    text: words.join(' '),
    unknown: meaning.map(({ typed }) => typed),
  }
}
