import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { synonymCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { searchKeys } from './keys'

const minLength = 2

/** What a text may be the beginning of: categories, services and businesses, in this order. */
export const suggestionsQuery = (term: string) =>
  queryOptions({
    queryKey: searchKeys.suggestions(term.toLowerCase()),
    queryFn: async ({ signal }) =>
      unwrap(await db.rpc('suggest_searches', { term }, { get: true }).abortSignal(signal)),
    enabled: term.length >= minLength,
    placeholderData: (rows) => (term.length >= minLength ? rows : undefined),
    ...synonymCache,
  })
