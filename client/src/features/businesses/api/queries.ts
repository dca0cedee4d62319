import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { cardColumns } from '../model/business-card'
import { businessKeys } from './keys'

/** How many businesses home's section shows, and its skeleton (HOME-07, CONST-17). */
export const topRatedCount = 4

/** The best rated businesses of a city. */
export const topRatedQuery = (city: string) =>
  queryOptions({
    queryKey: businessKeys.topRated(city),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .rpc('search_businesses', { find_loc: city }, { get: true })
          .select(cardColumns)
          .order('sort_rating', { ascending: false })
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

function searchRequest({ findDesc, findLoc, category, rating, amenities }: BusinessSearch) {
  const terms = {
    ...(findDesc !== '' && { find_desc: findDesc }),
    ...(findLoc !== '' && { find_loc: findLoc }),
    ...(category !== '' && { category }),
  }
  let request = db
    .rpc('search_businesses', terms, { get: true, count: 'exact' })
    .select(cardColumns)
  if (rating > 0) request = request.gte('sort_rating', rating)
  if (amenities.length > 0) {
    const wanted = amenities.map((name) => ({ name, available: true }))
    request = request.contains('amenities', JSON.stringify(wanted))
  }
  return request
    .order('sort_rating', { ascending: false })
    .order('created_at', { ascending: false })
}

/** A page of businesses, the best rated first, and how many there are (SEARCH-09 to 12). */
export const searchQuery = (search: BusinessSearch, pageSize = searchPageSize) =>
  queryOptions({
    queryKey: businessKeys.search({ ...search, pageSize }),
    queryFn: ({ signal }) =>
      readPage(search.page, pageSize, (from, to) =>
        searchRequest(search).range(from, to).abortSignal(signal),
      ),
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
