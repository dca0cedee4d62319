import type { Texts, Translations } from '@/texts/translations'
import { language } from './language'

declare global {
  /** The translations of this page, from a script that runs before the client (src/texts). */
  var plazaTexts: Partial<Translations> | undefined
}

/**
 * Returns the texts of a part in the language of the page: its translation, or `source`, as written
 * in the requirements. A missing translation does not compile (texts/translations.ts).
 */
// @__NO_SIDE_EFFECTS__
export function translated<const T extends object>(part: keyof Translations, source: T): Texts<T> {
  return (globalThis.plazaTexts?.[part] ?? source) as Texts<T>
}

/**
 * Loads code that shows sign-in, claims or plans, after their translations, which are not part of
 * the script that a page loads first.
 */
export async function withMoreTexts<T>(load: () => Promise<T>): Promise<T> {
  if (language === 'es') await import('@/texts/es/more')
  if (language === 'ca') await import('@/texts/ca/more')
  return load()
}
