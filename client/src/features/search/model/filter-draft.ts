import { noTerms, type Terms } from './terms'

/** The filters of the sheet and the advanced search. */
export type FilterDraft = Pick<
  Terms,
  'category' | 'open' | 'on' | 'priceMin' | 'priceMax' | 'within' | 'near' | 'rating' | 'amenities'
>

/** Returns only the filters of a search, without what and where. */
export function draftOf(terms: FilterDraft): FilterDraft {
  const { category, open, on, priceMin, priceMax, within, near, rating, amenities } = terms
  return { category, open, on, priceMin, priceMax, within, near, rating, amenities }
}

export const noFilters = draftOf(noTerms)

/** The filters without a quick chip, and how each is removed. */
export const filters = {
  on: { on: '' },
  price: { priceMin: 0, priceMax: 0 },
  distance: { within: 0, near: '' },
  bounds: { bounds: '' },
  rating: { rating: 0 },
} satisfies Record<string, Partial<Terms>>
