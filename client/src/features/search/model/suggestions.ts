import type { ComboboxOption } from '@/components/ui/combobox'
import type { RecentSearch } from './recent'

/** A row of `suggest_searches`. */
export type Suggestion = {
  kind: string
  label: string
  detail: string | null
  target: string | null
}

/** The search terms of a suggestion; the place only if the suggestion contains one. */
type ChosenTerms = { findDesc: string; category?: string; findLoc?: string }

/** An option of the first field, and its target: a business by its slug, or a search. */
export type SearchOption = ComboboxOption & {
  choice?: { slug: string } | { terms: ChosenTerms }
  /** Set for a recent search. */
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

/** Converts suggestions to options of the box; `service` is the detail of those that have none. */
export const optionsOf = (rows: readonly Suggestion[], service: string) =>
  rows.map(
    (row, index): SearchOption => ({
      value: String(index),
      label: row.label,
      note: row.detail ?? service,
      choice: choiceOf(row),
    }),
  )

/** Converts recent searches to options of the box, with an option that deletes them all. */
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
