import type { ComboboxOption } from '@/components/ui/combobox'
import { unwrap } from '@/lib/errors'
import { popularCityNames } from '@/lib/popular-places'
import { db } from '@/lib/supabase'
import {
  optionsOf,
  type PlaceWords,
  recentOptions,
  type SearchOption,
  type WhatWords,
} from '../model/suggestions'
import { clearRecent, forgetRecent, readRecent } from './recent'

const minLength = 2

/**
 * Suggests recent searches for an empty text, otherwise categories, services and businesses that
 * start with it.
 */
export async function suggestWhat(
  text: string,
  words: WhatWords,
  signal: AbortSignal,
): Promise<SearchOption[]> {
  const term = text.trim().toLowerCase()
  if (term === '') return recentOptions(await readRecent(signal), words.clearRecent)
  if (term.length < minLength) return []
  const rows = await db.rpc('suggest_searches', { term }, { get: true }).abortSignal(signal)
  return optionsOf(unwrap(rows), words.service)
}

/** Suggests popular places for an empty text, otherwise places that start with it. */
export async function suggestPlaces(
  text: string,
  words: PlaceWords,
  signal: AbortSignal,
): Promise<ComboboxOption[]> {
  const term = text.trim().toLowerCase()
  if (term === '') return popularCityNames.map((name) => ({ value: name, label: name }))
  if (term.length < minLength) return []
  const places = unwrap(await db.rpc('suggest_places', { term }, { get: true }).abortSignal(signal))
  return places.map(({ name, slug, country, businesses }) => ({
    value: slug,
    label: name,
    note: businesses > 0 ? words.businesses(businesses) : country,
  }))
}

/**
 * Deletes one recent search, or all of them. This is only a convenience, so failures are ignored.
 */
export async function forget({ recent }: SearchOption): Promise<void> {
  await (recent ? forgetRecent(recent) : clearRecent()).catch(() => undefined)
}
