import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComboboxOption } from '@/components/ui/combobox'
import { synonymCache } from '@/lib/query-client'
import { searchKeys } from '../api/keys'
import type { PlaceWords, SearchOption, WhatWords } from './suggestions'

// The code for suggestions loads when a field is first focused.
let loaded: typeof import('../api/suggest') | undefined
const load = async () => {
  loaded ??= await import('../api/suggest')
  return loaded
}

/**
 * The options of a field for its text. They are not debounced: another keystroke aborts the
 * previous request.
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
    // Keep the options of the previous keystroke until there are new ones.
    placeholderData: (before, query) => (isEmpty || query?.queryKey[2] === '' ? undefined : before),
    ...synonymCache,
    ...(isEmpty && { staleTime: 0 }),
  })
  return { options: data, onVisit: () => setVisited(true) }
}

/** Suggestions of the first field: recent searches until something is typed. */
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
    // Sent at once, as the page may be closed next. `loaded` is set, since it offered the option.
    void loaded?.forget(option)
  }
  const find = ({ value }: ComboboxOption) => field.options.find((one) => one.value === value)
  return {
    ...field,
    listLabel: text.trim() === '' ? words.recent : words.suggestions,
    onRemove: (option: ComboboxOption) => {
      const found = find(option)
      if (found) forget(found)
    },
    /**
     * Returns the target of an option: the page of a business, or a search; null if the option was
     * already handled.
     */
    take: (option: ComboboxOption) => {
      const found = find(option)
      if (found?.isAction) forget(found)
      return found?.choice ?? null
    },
  }
}

/** Suggestions of the second field: popular places until something is typed. */
export function usePlaceSuggestions(text: string, words: PlaceWords) {
  return useOptions(searchKeys.places(text, words.lang), text, async (signal) =>
    (await load()).suggestPlaces(text, words, signal),
  )
}
