import { filterCount, type Terms } from './terms'

/** A row of `search_alternatives`: a filter that could be lifted, or a place that has something. */
export type Alternative = {
  kind: string
  name: string
  target: string
  distance_km: number | null
  businesses: number
}

/** What lifting a filter changes, by its name there. */
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

/** Those that this client can lift, and the places. */
export function splitAlternatives(all: readonly Alternative[]) {
  return {
    filters: all.filter(({ kind, target }) => kind === 'filter' && target in lifts),
    places: all.filter(({ kind }) => kind === 'place'),
  }
}

/** Whether a search asks for anything at all; if not, no result means no businesses (SEARCH-16). */
export function isNarrowed(terms: Terms): boolean {
  return (
    terms.findDesc !== '' || terms.findLoc !== '' || terms.category !== '' || filterCount(terms) > 0
  )
}
