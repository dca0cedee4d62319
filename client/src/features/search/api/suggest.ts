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

/** The searches made last, or what a text may be the beginning of: categories, services, businesses. */
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

/** The places asked for most, or those that a text may be the beginning of. */
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

/** Forgets a search made before, or all of them. It is a help and no promise: what fails is not told. */
export async function forget({ recent }: SearchOption): Promise<void> {
  await (recent ? forgetRecent(recent) : clearRecent()).catch(() => undefined)
}
