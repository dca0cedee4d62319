import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
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
