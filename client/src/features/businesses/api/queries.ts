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

/** A search as the functions take it; names of amenities are quoted as elements of a PostgreSQL array. */
const argumentsOf = ({ findDesc, findLoc, category, rating, amenities }: BusinessSearch) => ({
  ...(findDesc && { find_desc: findDesc }),
  ...(findLoc && { find_loc: findLoc }),
  ...(category && { category }),
  ...(rating && { min_rating: rating }),
  ...(amenities[0] && { with_amenities: amenities.map((one) => JSON.stringify(one)) }),
})

const find = (name: 'best_businesses' | 'promoted_businesses', search: BusinessSearch) =>
  db.rpc(name, argumentsOf(search), { get: true }).select(cardColumns)

async function readResults(search: BusinessSearch, pageSize: number, signal: AbortSignal) {
  const from = (search.page - 1) * pageSize
  const [found, total] = await Promise.all([
    find('best_businesses', search)
      .range(from, from + pageSize - 1)
      .abortSignal(signal),
    db.rpc('count_businesses', argumentsOf(search), { get: true }).abortSignal(signal),
  ])
  return { rows: unwrap(found), total: unwrap(total) }
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
  const { data } = await find('promoted_businesses', search)
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
