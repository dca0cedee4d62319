import {
  type Base,
  findCategory,
  readTerms,
  type Terms,
  wordsOf,
} from '@/features/search/model/terms'

type Named = { name: string; code: string }

/** What stands in an address of a list of results: /search/{location}/{category} or /category/{slug}. */
type Address = {
  pathname: string
  search: string
  location?: string | undefined
  category?: string | undefined
}

/**
 * What an address asks for. `place` is the name of its location, null where it is unknown. Until the
 * categories are there, a category is asked for by its slug: the server takes it, too.
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
