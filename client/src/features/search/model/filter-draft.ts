import { noTerms, type Terms } from './terms'

/** What the sheet and the advanced search set. */
export type FilterDraft = Pick<
  Terms,
  'category' | 'open' | 'on' | 'priceMin' | 'priceMax' | 'within' | 'near' | 'rating' | 'amenities'
>

/** The filters of a search alone, without what and where. */
export function draftOf(terms: FilterDraft): FilterDraft {
  const { category, open, on, priceMin, priceMax, within, near, rating, amenities } = terms
  return { category, open, on, priceMin, priceMax, within, near, rating, amenities }
}

export const noFilters = draftOf(noTerms)

/** What a search is narrowed to without a quick chip, by how each is dropped. */
export const filters = {
  on: { on: '' },
  price: { priceMin: 0, priceMax: 0 },
  distance: { within: 0, near: '' },
  bounds: { bounds: '' },
  rating: { rating: 0 },
} satisfies Record<string, Partial<Terms>>
