import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { cleanQuery, fold, slugify } from '@/lib/text'
import { messages } from '../messages'
import { readFilters, type Sort } from './read-filters'

/** All parameters of a search. An empty text, zero or an empty list means no restriction. */
export type Terms = {
  findDesc: string
  findLoc: string
  /** Label or code of a category, or free text. */
  category: string
  page: number
  rating: number
  amenities: readonly string[]
  /** Open now. */
  open: boolean
  /** A day with free slots, as yyyy-MM-dd. */
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
  /** On phones the map replaces the list. */
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

/** The selectable minimum ratings. */
export const ratingSteps = [4.5, 4, 3.5] as const

/** The amenities that can be filtered: those suggested to owners (OWNER-12). */
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

/** The amenities with a quick chip. */
export const quickAmenities = ['Wheelchair Accessible', 'Parking', 'Pet Friendly'] as const
export const quickRatings = [4, 4.5] as const

/** The former and current names of parameters (ROUTE-08). */
const olderNames = [
  ['q', 'find_desc'],
  ['location', 'find_loc'],
] as const

/** Parses a page number from the URL; the first page for anything else. */
function readPage(value: string | null): number {
  const page = Number(value)
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

/** Reads the terms from the URL, including former parameter names (ROUTE-06, ROUTE-08). */
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
 * Returns the query string that a URL should have had: former names converted (ROUTE-08) and `page`
 * omitted for the first page (ROUTE-07). Null if it needs no change.
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

/** Terms that are part of the path: /search/{location}/{category} and /category/{slug}. */
export type Base = { pathname: string; findLoc?: string; category?: string }

/** Returns the URL of a search; it keeps the current path as long as that matches the terms. */
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

/** Finds a category by its label, code or slug of either kind (C-24). */
export function findCategory<T extends Named>(text: string, all: readonly T[]): T | undefined {
  const wanted = fold(text)
  return (
    all.find((one) => one.code === wanted) ??
    all.find((one) => fold(one.name) === wanted || slugify(one.name) === wanted)
  )
}

/** Converts an unknown slug to words: 'el-born' → 'el born'. */
export function wordsOf(slug: string): string {
  return cleanQuery(slug.replaceAll('-', ' ')).trim()
}

/** Returns the heading of the page (SEARCH-03). */
export function headingOf({ findDesc, findLoc }: Terms): string {
  if (findDesc !== '' && findLoc !== '')
    return messages.queryInLocation(findDesc, localName(findLoc))
  if (findDesc !== '') return messages.queryOnly(findDesc)
  return findLoc === '' ? messages.neither : messages.locationOnly(localName(findLoc))
}

/**
 * Returns the document's title: the heading, and the category. Server: pageTitle in
 * functions/firstview/results.go.
 */
export function documentTitleOf(terms: Terms, categoryName: string): string {
  if (categoryName === '') return headingOf(terms)
  if (terms.findDesc !== '') return `${headingOf(terms)} · ${categoryName}`
  return terms.findLoc === ''
    ? categoryName
    : messages.queryInLocation(categoryName, localName(terms.findLoc))
}

/** Returns the title of the results (SEARCH-04). */
export function resultsTitleOf({ findDesc }: Terms, categoryName: string): string {
  if (findDesc !== '') return messages.resultsFor(findDesc, categoryName)
  return categoryName === '' ? messages.allBusinesses : messages.categoryBusinesses(categoryName)
}

/** Returns the number of active filters besides what, where and category. */
export function filterCount(terms: Terms): number {
  const { open, on, priceMin, priceMax, within, bounds, rating, amenities } = terms
  const set = [open, on, priceMin || priceMax, within, bounds, rating].filter(Boolean)
  return set.length + amenities.length
}
