import { filterCount, type Terms } from './terms'

/** A row of `search_alternatives`: a filter that could be removed, or a place with results. */
export type Alternative = {
  kind: string
  name: string
  target: string
  distance_km: number | null
  businesses: number
}

/** The change that removes a filter, by its name in `search_alternatives`. */
const lifts: Record<string, Partial<Terms>> = {
  category: { category: '' },
  rating: { rating: 0 },
  amenities: { amenities: [] },
  open_now: { open: false },
  free_on: { on: '' },
  price: { priceMin: 0, priceMax: 0 },
  distance: { within: 0, bounds: '' },
  text: { findDesc: '' },
  place: { findLoc: '', within: 0 },
}

export const lift = (target: string): Partial<Terms> => lifts[target] ?? {}

/** Splits alternatives into filters that this client can remove, and places. */
export function splitAlternatives(all: readonly Alternative[]) {
  return {
    filters: all.filter(({ kind, target }) => kind === 'filter' && target in lifts),
    places: all.filter(({ kind }) => kind === 'place'),
  }
}

/**
 * Reports whether a search has any restriction; if not, no result means no businesses (SEARCH-16).
 */
export function isNarrowed(terms: Terms): boolean {
  return (
    terms.findDesc !== '' || terms.findLoc !== '' || terms.category !== '' || filterCount(terms) > 0
  )
}
