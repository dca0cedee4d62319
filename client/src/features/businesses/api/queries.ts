import { queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { cardColumns } from '../model/business-card'
import { businessKeys } from './keys'

/** Number of businesses in home's section and its skeleton (HOME-07, CONST-17). */
export const topRatedCount = 4

/** The top-rated businesses of a city. */
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

/** The newest businesses of a place, and the total number of its businesses (CITY-03). */
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
