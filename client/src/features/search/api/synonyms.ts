import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { synonymCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { searchKeys } from './keys'

/** Minimum length of a term that is looked up in other languages (SEARCH-14). */
const minSynonymLength = 2

/** The categories that a term means in any language, the most likely first (SEARCH-15). */
export const synonymsQuery = (term: string) =>
  queryOptions({
    queryKey: searchKeys.synonyms(term.toLowerCase()),
    queryFn: async ({ signal }) =>
      unwrap(await db.rpc('suggest_synonyms', { term }, { get: true }).abortSignal(signal)),
    enabled: term.length >= minSynonymLength,
    placeholderData: keepPreviousData,
    ...synonymCache,
  })
