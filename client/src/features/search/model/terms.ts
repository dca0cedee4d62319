import { paths } from '@/lib/paths'
import { cleanQuery, fold, slugify } from '@/lib/text'
import { messages } from '../messages'
import { readFilters, type Sort } from './read-filters'

/** Everything a search can ask for. An empty text, zero or an empty list asks for nothing. */
export type Terms = {
  findDesc: string
  findLoc: string
  /** Label or code of a category, or free text. */
  category: string
  page: number
  rating: number
  amenities: readonly string[]
  /** Open at this moment. */
  open: boolean
  /** A day, as yyyy-MM-dd, with free slots. */
  on: string
  priceMin: number
  priceMax: number
  /** Kilometres, from `near` or else from the place. */
  within: number
  /** A point: 'latitude,longitude'. */
  near: string
  /** A part of the map: 'south,west,north,east'. */
  bounds: string
  sort: Sort | ''
  /** On phones the map stands in the place of the list. */
  view: 'map' | ''
}

export const noTerms: Terms = {
  findDesc: '',
  findLoc: '',
  category: '',
  page: 1,
  rating: 0,
  amenities: [],
  open: false,
  on: '',
  priceMin: 0,
  priceMax: 0,
  within: 0,
  near: '',
  bounds: '',
  sort: '',
  view: '',
}

/** The least ratings one can ask for. */
export const ratingSteps = [4.5, 4, 3.5] as const

/** The amenities one can filter by: those owners are offered (OWNER-12). */
export const knownAmenities = [
  'Wheelchair Accessible',
  'Parking',
  'Free Wi-Fi',
  'Pet Friendly',
  'Air Conditioning',
  'Outdoor Seating',
  'Reservations',
  'Credit Cards',
  'Delivery',
  'Takeout',
] as const

/** Those with a chip of their own. */
export const quickAmenities = ['Wheelchair Accessible', 'Parking', 'Pet Friendly'] as const
export const quickRatings = [4, 4.5] as const

/** The names that parameters had before, and have now (ROUTE-08). */
const olderNames = [
  ['q', 'find_desc'],
  ['location', 'find_loc'],
] as const

/** A page number as it may stand in an address; the first page for anything else. */
function readPage(value: string | null): number {
  const page = Number(value)
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

/** Reads the terms of an address, its older names included (ROUTE-06, ROUTE-08). */
export function readTerms(params: URLSearchParams): Terms {
  const text = (name: string, older?: string) =>
    (params.get(name) ?? (older === undefined ? null : params.get(older)) ?? '').trim()
  const rating = Number(params.get('rating'))
  const wanted = text('amenities').split(',')
  return {
    ...noTerms,
    findDesc: cleanQuery(text('find_desc', 'q')).trim(),
    findLoc: cleanQuery(text('find_loc', 'location')).trim(),
    category: text('category').slice(0, 100),
    page: readPage(params.get('page')),
    rating: ratingSteps.find((step) => step === rating) ?? 0,
    amenities: knownAmenities.filter((name) => wanted.includes(name)),
    ...readFilters(params),
  }
}

/**
 * The query string an address should have had: older names converted (ROUTE-08) and
 * `page` left out when it is the first (ROUTE-07). Null when it is fine as it is.
 */
export function modernQuery(params: URLSearchParams): string | null {
  const modern = new URLSearchParams(params)
  for (const [older, name] of olderNames) {
    const value = modern.get(older)
    modern.delete(older)
    if (value !== null && !modern.has(name) && value.trim() !== '') modern.set(name, value)
  }
  if (modern.has('page') && readPage(modern.get('page')) === 1) modern.delete('page')
  return modern.toString() === params.toString() ? null : modern.toString()
}

/** What the path itself fixes: /search/{location}/{category} and /category/{slug}. */
export type Base = { pathname: string; findLoc?: string; category?: string }

/** The address of a search; it stays on the path it came from as long as that still says the truth. */
export function addressOf(terms: Terms, base?: Base): string {
  const holds =
    base !== undefined &&
    (base.findLoc === undefined || base.findLoc === terms.findLoc) &&
    (base.category === undefined || base.category === terms.category)
  if (!holds) return paths.search(terms)
  const rest = paths.search({
    ...terms,
    ...(base.findLoc !== undefined && { findLoc: '' }),
    ...(base.category !== undefined && { category: '' }),
  })
  return base.pathname + rest.slice(paths.search().length)
}

type Named = { name: string; code: string }

/** The category that a label, a code or a slug of either kind means (C-24). */
export function findCategory<T extends Named>(text: string, all: readonly T[]): T | undefined {
  const wanted = fold(text)
  return (
    all.find((one) => one.code === wanted) ??
    all.find((one) => fold(one.name) === wanted || slugify(one.name) === wanted)
  )
}

/** A slug as words, when nothing known stands behind it: 'el-born' → 'el born'. */
export function wordsOf(slug: string): string {
  return cleanQuery(slug.replaceAll('-', ' ')).trim()
}

/** The heading of the page (SEARCH-03). */
export function headingOf({ findDesc, findLoc }: Terms): string {
  if (findDesc !== '' && findLoc !== '') return messages.queryInLocation(findDesc, findLoc)
  if (findDesc !== '') return messages.queryOnly(findDesc)
  return findLoc === '' ? messages.neither : messages.locationOnly(findLoc)
}

/** The title of the results (SEARCH-04). */
export function resultsTitleOf({ findDesc }: Terms, categoryName: string): string {
  if (findDesc !== '') return messages.resultsFor(findDesc, categoryName)
  return categoryName === '' ? messages.allBusinesses : messages.categoryBusinesses(categoryName)
}

/** How many filters are set beyond what, where and category. */
export function filterCount(terms: Terms): number {
  const { open, on, priceMin, priceMax, within, bounds, rating, amenities } = terms
  const set = [open, on, priceMin || priceMax, within, bounds, rating].filter(Boolean)
  return set.length + amenities.length
}
