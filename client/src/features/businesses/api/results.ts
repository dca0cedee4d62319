import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { cardColumns } from '../model/business-card'
import { withPromoted } from '../model/promoted'
import { businessKeys } from './keys'

/** What a search asks the database for; '' and 0 ask for nothing. */
export type BusinessSearch = {
  findDesc: string
  findLoc: string
  category: string
  page: number
  rating: number
  amenities: readonly string[]
  /** Open at this moment. */
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

/** How many businesses a page of results holds (SEARCH-06). */
export const searchPageSize = 12

/** A search as the functions take it; names of amenities are quoted as elements of a PostgreSQL array. */
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

/** What tells the answer to a search from those to others: how it is shown does not. */
const keyOf = (search: BusinessSearch, pageSize: number) =>
  businessKeys.search({ ...search, view: '', pageSize })

/** A word of a search as it was typed, and the one it was taken for; null where it was left out. */
type Meaning = { typed: string; meant: string | null }

/** How a text was understood, where not as it was typed. Without it the results are what they are, so a failure is none. */
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

/** What says how far away a business is, where a search asks for that; it comes when it is needed. */
async function readAway({ near, within, sort, findLoc }: BusinessSearch, signal: AbortSignal) {
  if (near === '' && (findLoc === '' || (within === 0 && sort !== 'distance'))) return undefined
  return (await import('./away')).readAway(near, findLoc, signal)
}

/**
 * A page of businesses, the best first, how many there are, 5,001 for more (SEARCH-09 to 12), and
 * how the text was understood.
 */
export const searchQuery = (search: BusinessSearch, pageSize = searchPageSize) =>
  queryOptions({
    queryKey: keyOf(search, pageSize),
    queryFn: ({ signal }) => readResults(search, pageSize, signal),
    placeholderData: keepPreviousData,
    ...resultCache,
  })

/** How many promoted businesses stand on top of a page (SUB-07). */
const promotedPerPage = 2

/** Those with a promoted place on a page. Without them the page is what it is, so a failure is none. */
async function readPromoted(search: BusinessSearch, signal: AbortSignal) {
  const from = (search.page - 1) * promotedPerPage
  const { data } = await db
    .rpc('promoted_businesses', argumentsOf(search), { get: true })
    .select(cardColumns)
    .range(from, from + promotedPerPage - 1)
    .abortSignal(signal)
  return data ?? []
}

/** A page of results as people see it: what is promoted first, then as `searchQuery` has it. */
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
