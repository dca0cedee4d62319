import { fold } from '@/lib/text'

/** A word as typed, and its interpretation; null if it was dropped. */
type Meaning = { typed: string; meant: string | null }

/** Returns the interpreted text and the dropped words; null if it was taken literally. */
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
