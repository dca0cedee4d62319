import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { cardColumns } from '../model/business-card'
import { withPromoted } from '../model/promoted'
import { businessKeys } from './keys'

/** How many businesses home's section shows, and its skeleton (HOME-07, CONST-17). */
export const topRatedCount = 4

/** The best businesses of a city. */
export const topRatedQuery = (city: string) =>
  queryOptions({
    queryKey: businessKeys.topRated(city),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .rpc('search_businesses', { find_loc: city }, { get: true })
          .select(cardColumns)
          .order('ranking', { ascending: false })
          .order('created_at', { ascending: false })
          .limit(topRatedCount)
          .abortSignal(signal),
      ),
    ...resultCache,
  })

/** What a search asks the database for; '' and 0 ask for nothing. */
export type BusinessSearch = {
  findDesc: string
  findLoc: string
  category: string
  page: number
  rating: number
  amenities: readonly string[]
}

/** How many businesses a page of results holds (SEARCH-06). */
export const searchPageSize = 12

function termsOf({ findDesc, findLoc, category }: BusinessSearch) {
  return {
    ...(findDesc !== '' && { find_desc: findDesc }),
    ...(findLoc !== '' && { find_loc: findLoc }),
    ...(category !== '' && { category }),
  }
}

/** The terms of a search with its amenities, quoted as elements of a PostgreSQL array are. */
const argumentsOf = (search: BusinessSearch) => ({
  ...termsOf(search),
  ...(search.amenities.length > 0 && {
    with_amenities: search.amenities.map((one) => JSON.stringify(one)),
  }),
})

/** Businesses with a promoted place, left as the filters of a search have it. */
function findPromoted(search: BusinessSearch) {
  let request = db.rpc('promoted_businesses', termsOf(search), { get: true }).select(cardColumns)
  if (search.rating > 0) request = request.gte('sort_rating', search.rating)
  if (search.amenities.length > 0) {
    const wanted = search.amenities.map((one) => ({ name: one, available: true }))
    request = request.contains('amenities', JSON.stringify(wanted))
  }
  return request
}

function findBest(search: BusinessSearch) {
  const request = db.rpc('best_businesses', argumentsOf(search), { get: true }).select(cardColumns)
  return search.rating > 0 ? request.gte('sort_rating', search.rating) : request
}

async function readCount(search: BusinessSearch, signal: AbortSignal) {
  const rating = search.rating > 0 && { min_rating: search.rating }
  const request = db.rpc('count_businesses', { ...argumentsOf(search), ...rating }, { get: true })
  return unwrap(await request.abortSignal(signal))
}

async function readResults(search: BusinessSearch, pageSize: number, signal: AbortSignal) {
  const from = (search.page - 1) * pageSize
  const [found, total] = await Promise.all([
    findBest(search)
      .range(from, from + pageSize - 1)
      .abortSignal(signal),
    readCount(search, signal),
  ])
  return { rows: unwrap(found), total }
}

/** A page of businesses, the best first, and how many there are: 5,001 for more (SEARCH-09 to 12). */
export const searchQuery = (search: BusinessSearch, pageSize = searchPageSize) =>
  queryOptions({
    queryKey: businessKeys.search({ ...search, pageSize }),
    queryFn: ({ signal }) => readResults(search, pageSize, signal),
    placeholderData: keepPreviousData,
    ...resultCache,
  })

/** How many promoted businesses stand on top of a page (SUB-07). */
const promotedPerPage = 2

/** Those with a promoted place on a page. Without them the page is what it is, so a failure is none. */
async function readPromoted(search: BusinessSearch, signal: AbortSignal) {
  const from = (search.page - 1) * promotedPerPage
  const { data } = await findPromoted(search)
    .range(from, from + promotedPerPage - 1)
    .abortSignal(signal)
  return data ?? []
}

/** A page of results as people see it: what is promoted first, then as `searchQuery` has it. */
export const resultsQuery = (search: BusinessSearch, pageSize = searchPageSize) =>
  queryOptions({
    queryKey: [...businessKeys.search({ ...search, pageSize }), 'promoted'],
    queryFn: async ({ signal }) => {
      const [page, promoted] = await Promise.all([
        readResults(search, pageSize, signal),
        readPromoted(search, signal),
      ])
      return withPromoted(page, promoted)
    },
    placeholderData: keepPreviousData,
    ...resultCache,
  })

/** The next time that can be booked at each of some businesses, by their ids. */
export const nextSlotsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: businessKeys.nextSlots(ids),
    queryFn: async ({ signal }) => {
      const slots = unwrap(
        await db
          .rpc('next_free_slots', { p_business_ids: [...ids] }, { get: true })
          .abortSignal(signal),
      )
      return new Map(slots.map((slot) => [slot.business_id, slot]))
    },
    enabled: ids.length > 0,
    ...resultCache,
  })

/** The newest businesses of a place, and how many it has in all (CITY-03). */
export const recentQuery = (place: string, limit: number) =>
  queryOptions({
    queryKey: businessKeys.recent(place, limit),
    queryFn: async ({ signal }) =>
      unwrapCounted(
        await db
          .rpc('search_businesses', { find_loc: place }, { get: true, count: 'exact' })
          .select(cardColumns)
          .order('created_at', { ascending: false })
          .limit(limit)
          .abortSignal(signal),
      ),
    ...resultCache,
  })
