import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { resultKeys } from './result-keys'
import { argumentsOf, type BusinessSearch } from './results'

/** Alternatives to a search without results: without a filter, or in another place. */
export const alternativesQuery = (search: BusinessSearch) => {
  const asked = argumentsOf(search)
  return queryOptions({
    queryKey: resultKeys.alternatives(asked),
    queryFn: async ({ signal }) =>
      unwrap(await db.rpc('search_alternatives', asked, { get: true }).abortSignal(signal)),
    ...resultCache,
  })
}
