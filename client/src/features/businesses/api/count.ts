import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { resultKeys } from './result-keys'
import { argumentsOf, type BusinessSearch } from './results'

/** The number of businesses that match a search: 5,001 means more. */
export const countQuery = (search: BusinessSearch) => {
  const asked = argumentsOf(search)
  return queryOptions({
    queryKey: resultKeys.count(asked),
    queryFn: async ({ signal }) =>
      unwrap(await db.rpc('count_businesses', asked, { get: true }).abortSignal(signal)),
    ...resultCache,
  })
}
