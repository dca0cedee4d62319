import {
  type Base,
  findCategory,
  readTerms,
  type Terms,
  wordsOf,
} from '@/features/search/model/terms'

type Named = { name: string; code: string }

/** The parts of a results URL: /search/{location}/{category} or /category/{slug}. */
type Address = {
  pathname: string
  search: string
  location?: string | undefined
  category?: string | undefined
}

/**
 * Returns the search terms of a URL. `place` is the name of its location, null if it is unknown.
 * Until the categories are loaded, a category is requested by its slug, which the server also
 * accepts.
 */
export function pathTerms(
  { pathname, search, location, category }: Address,
  place: string | null | undefined,
  categories: readonly Named[],
): { terms: Terms; base?: Base } {
  const terms = readTerms(new URLSearchParams(search))
  if (location === undefined && category === undefined) return { terms }
  const fixed = {
    ...(location !== undefined && { findLoc: place ?? wordsOf(location) }),
    ...(category !== undefined && {
      category: findCategory(category, categories)?.name ?? category,
    }),
  }
  return { terms: { ...terms, ...fixed }, base: { pathname, ...fixed } }
}
