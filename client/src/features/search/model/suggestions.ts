import type { ComboboxOption } from '@/components/ui/combobox'
import type { RecentSearch } from './recent'

/** A row of `suggest_searches`. */
export type Suggestion = {
  kind: string
  label: string
  detail: string | null
  target: string | null
}

/** What is asked for by a choice; the place only where the choice says one. */
type ChosenTerms = { findDesc: string; category?: string; findLoc?: string }

/** An option of the first field, and what it leads to: a business by its slug, or a search. */
export type SearchOption = ComboboxOption & {
  choice?: { slug: string } | { terms: ChosenTerms }
  /** Given of a search made before. */
  recent?: RecentSearch
}

export type WhatWords = {
  suggestions: string
  service: string
  recent: string
  clearRecent: string
}

export type PlaceWords = { lang: string; businesses: (count: number) => string }

function choiceOf({
  kind,
  label,
  detail,
  target,
}: Suggestion): NonNullable<SearchOption['choice']> {
  if (kind === 'business' && target) return { slug: target }
  return {
    terms: kind === 'category' && detail ? { findDesc: '', category: detail } : { findDesc: label },
  }
}

/** Suggestions as a box shows them; `service` stands beside those that have no detail. */
export const optionsOf = (rows: readonly Suggestion[], service: string) =>
  rows.map(
    (row, index): SearchOption => ({
      value: String(index),
      label: row.label,
      note: row.detail ?? service,
      choice: choiceOf(row),
    }),
  )

/** Searches made before, as a box shows them, with what forgets them all. */
export const recentOptions = (searches: readonly RecentSearch[], clear: string): SearchOption[] =>
  searches.length === 0
    ? []
    : [
        ...searches.map(({ findDesc, findLoc, category }, index) => ({
          value: String(index),
          label: findDesc || category,
          note: [findDesc && category, findLoc].filter(Boolean).join(' · '),
          canRemove: true,
          choice: { terms: { findDesc, findLoc, category } },
          recent: { findDesc, findLoc, category },
        })),
        { value: 'clear', label: clear, isAction: true },
      ]
