import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComboboxOption } from '@/components/ui/combobox'
import { synonymCache } from '@/lib/query-client'
import { searchKeys } from '../api/keys'
import type { PlaceWords, SearchOption, WhatWords } from './suggestions'

// What is suggested, and where from, comes with the first visit to a field.
const load = () => import('../api/suggest')

/**
 * The options of a field for what stands in it. They do not wait for typing to rest: a further
 * letter takes back the request of the one before.
 */
function useOptions<T>(
  queryKey: QueryKey,
  text: string,
  read: (signal: AbortSignal) => Promise<T[]>,
) {
  const [isVisited, setVisited] = useState(false)
  const isEmpty = text.trim() === ''
  const { data = [] } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    enabled: isVisited,
    // Those of the letter before, until there are others.
    placeholderData: (before, query) => (isEmpty || query?.queryKey[2] === '' ? undefined : before),
    ...synonymCache,
    ...(isEmpty && { staleTime: 0 }),
  })
  return { options: data, onVisit: () => setVisited(true) }
}

/** What the first field suggests: before anything is typed the searches made last. */
export function useWhatSuggestions(text: string, words: WhatWords) {
  const client = useQueryClient()
  const queryKey = searchKeys.what(text, words.service)
  const field = useOptions(queryKey, text, async (signal) =>
    (await load()).suggestWhat(text, words, signal),
  )
  const forget = (option: SearchOption) => {
    client.setQueryData<SearchOption[]>(queryKey, (all) =>
      option.isAction || all?.length === 2 ? [] : all?.filter((one) => one !== option),
    )
    void load().then((module) => module.forget(option))
  }
  const find = ({ value }: ComboboxOption) => field.options.find((one) => one.value === value)
  return {
    ...field,
    listLabel: text.trim() === '' ? words.recent : words.suggestions,
    onRemove: (option: ComboboxOption) => {
      const found = find(option)
      if (found) forget(found)
    },
    /** What an option leads to: the page of a business, or a search; null where it was done already. */
    take: (option: ComboboxOption) => {
      const found = find(option)
      if (found?.isAction) forget(found)
      return found?.choice ?? null
    },
  }
}

/** What the second field suggests: before anything is typed the places asked for most. */
export function usePlaceSuggestions(text: string, words: PlaceWords) {
  return useOptions(searchKeys.places(text, words.lang), text, async (signal) =>
    (await load()).suggestPlaces(text, words, signal),
  )
}
