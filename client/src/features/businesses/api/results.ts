import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { cardColumns } from '../model/business-card'
import { withPromoted } from '../model/promoted'
import { businessKeys } from './keys'

/** The parameters of a search; '' and 0 mean no restriction. */
export type BusinessSearch = {
  findDesc: string
  findLoc: string
  category: string
  page: number
  rating: number
  amenities: readonly string[]
  /** Open now. */
  open: boolean
  /** A day with free slots. */
  on: string
  priceMin: number
  priceMax: number
  /** Kilometres from `near`, or else from the place. */
  within: number
  /** 'latitude,longitude' */
  near: string
  /** 'south,west,north,east' */
  bounds: string
  sort: string
}

/** Number of businesses per page of results (SEARCH-06). */
export const searchPageSize = 12

/**
 * Converts a search to function arguments; names of amenities are quoted as elements of a
 * PostgreSQL array.
 */
export const argumentsOf = (search: BusinessSearch) => {
  const [latitude, longitude] = search.near.split(',').map(Number)
  return {
    ...(search.findDesc && { find_desc: search.findDesc }),
    ...(search.findLoc && { find_loc: search.findLoc }),
    ...(search.category && { category: search.category }),
    ...(search.rating && { min_rating: search.rating }),
    ...(search.amenities[0] && {
      with_amenities: search.amenities.map((one) => JSON.stringify(one)),
    }),
    ...(search.open && { open_now: true }),
    ...(search.on && { free_on: search.on }),
    ...(search.priceMin && { min_price: search.priceMin }),
    ...(search.priceMax && { max_price: search.priceMax }),
    ...(search.near && { near_latitude: latitude, near_longitude: longitude }),
    ...(search.within && { within_km: search.within }),
    ...(search.bounds && { bounds: search.bounds.split(',').map(Number) }),
  }
}

/** The part of a search that determines its results: the view (list or map) does not. */
const keyOf = (search: BusinessSearch, pageSize: number) =>
  businessKeys.search({ ...search, view: '', pageSize })

/** A word of a search as typed, and its interpretation; null if it was dropped. */
type Meaning = { typed: string; meant: string | null }

/**
 * Returns how a text was interpreted, if not literally. The results do not depend on it, so a
 * failure is ignored.
 */
async function readMeaning(findDesc: string, signal: AbortSignal): Promise<Meaning[]> {
  if (findDesc === '') return []
  const { data } = await db
    .rpc('search_meaning', { find_desc: findDesc }, { get: true })
    .abortSignal(signal)
  return data ?? []
}

async function readResults(search: BusinessSearch, pageSize: number, signal: AbortSignal) {
  const from = (search.page - 1) * pageSize
  const [found, total, meaning, awayOf] = await Promise.all([
    db
      .rpc(
        'best_businesses',
        { ...argumentsOf(search), ...(search.sort && { sort_by: search.sort }) },
        { get: true },
      )
      .select(cardColumns)
      .range(from, from + pageSize - 1)
      .abortSignal(signal),
    db.rpc('count_businesses', argumentsOf(search), { get: true }).abortSignal(signal),
    readMeaning(search.findDesc, signal),
    readAway(search, signal),
  ])
  return {
    rows: unwrap(found),
    total: unwrap(total),
    findDesc: search.findDesc,
    meaning,
    awayOf,
  }
}

/**
 * Loads the function that formats distances if a search uses them; its code is loaded on demand.
 */
async function readAway({ near, within, sort, findLoc }: BusinessSearch, signal: AbortSignal) {
  if (near === '' && (findLoc === '' || (within === 0 && sort !== 'distance'))) return undefined
  return (await import('./away')).readAway(near, findLoc, signal)
}

/**
 * A page of businesses, the best first, their number, where 5,001 means more (SEARCH-09 to 12), and
 * how the text was interpreted.
 */
export const searchQuery = (search: BusinessSearch, pageSize = searchPageSize) =>
  queryOptions({
    queryKey: keyOf(search, pageSize),
    queryFn: ({ signal }) => readResults(search, pageSize, signal),
    placeholderData: keepPreviousData,
    ...resultCache,
  })

/** Number of promoted businesses on top of a page (SUB-07). */
const promotedPerPage = 2

/**
 * Returns the promoted businesses of a page. The results do not depend on them, so a failure is
 * ignored.
 */
async function readPromoted(search: BusinessSearch, signal: AbortSignal) {
  const from = (search.page - 1) * promotedPerPage
  const { data } = await db
    .rpc('promoted_businesses', argumentsOf(search), { get: true })
    .select(cardColumns)
    .range(from, from + promotedPerPage - 1)
    .abortSignal(signal)
  return data ?? []
}

/** A page of results as displayed: promoted businesses first, then the results of `searchQuery`. */
export const resultsQuery = (search: BusinessSearch, pageSize = searchPageSize) =>
  queryOptions({
    queryKey: [...keyOf(search, pageSize), 'promoted'],
    queryFn: async ({ signal }) => {
      const [page, promoted] = await Promise.all([
        readResults(search, pageSize, signal),
        readPromoted(search, signal),
      ])
      const { awayOf, ...rest } = page
      const rows = withPromoted(page.rows, promoted)
      return { ...rest, rows: rows.map((row) => ({ ...row, away: awayOf?.(row) })) }
    },
    placeholderData: keepPreviousData,
    ...resultCache,
  })
