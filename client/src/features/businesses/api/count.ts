import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { resultKeys } from './result-keys'
import { argumentsOf, type BusinessSearch } from './results'

/** How many businesses a search would find: 5,001 for more. */
export const countQuery = (search: BusinessSearch) => {
  const asked = argumentsOf(search)
  return queryOptions({
    queryKey: resultKeys.count(asked),
    queryFn: async ({ signal }) =>
      unwrap(await db.rpc('count_businesses', asked, { get: true }).abortSignal(signal)),
    ...resultCache,
  })
}
