import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { synonymCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { searchKeys } from './keys'

const minLength = 2

/**
 * What a text may be the beginning of: categories, services and businesses, in this order. It does
 * not wait for typing to rest: a further letter takes back the request of the one before.
 */
export const suggestionsQuery = (text: string) => {
  const term = text.trim().toLowerCase()
  const enabled = term.length >= minLength
  return queryOptions({
    queryKey: searchKeys.suggestions(term),
    queryFn: async ({ signal }) =>
      unwrap(await db.rpc('suggest_searches', { term }, { get: true }).abortSignal(signal)),
    enabled,
    placeholderData: (rows) => (enabled ? rows : undefined),
    ...synonymCache,
  })
}
