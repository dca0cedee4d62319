import type { ComponentType } from 'react'
import { useLoaderData } from 'react-router'
import { type Language, language } from '@/lib/language'

/** The content of a text page in one language. */
type Text<P> = ComponentType<P>

type Translations<P> = Record<Exclude<Language, 'en'>, () => Promise<{ Text: Text<P> }>>

/** Returns the loader of a text page, which loads its translation if the page needs one. */
export function loadText<P>(translations: Translations<P>) {
  return async (): Promise<Text<P> | null> =>
    language === 'en' ? null : (await translations[language]()).Text
}

/** Returns the content of the page in its language. */
export function useText<P>(english: Text<P>): Text<P> {
  return (useLoaderData<unknown>() as Text<P> | null) ?? english
}
