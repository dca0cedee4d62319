import type { ComboboxOption } from '@/components/ui/combobox'

/** A row of `suggest_searches`. */
export type Suggestion = {
  kind: string
  label: string
  detail: string | null
  target: string | null
}

/** Suggestions as a box shows them; `service` stands beside those that have no detail. */
export const optionsOf = (rows: readonly Suggestion[], service: string) =>
  rows.map(
    ({ label, detail }, index): ComboboxOption => ({
      value: String(index),
      label,
      note: detail ?? service,
    }),
  )

/** What the choice of an option leads to: the page of a business by its slug, or a search. */
export function choiceOf(
  rows: readonly Suggestion[],
  option: ComboboxOption,
): { slug: string } | { terms: { findDesc: string; category?: string } } {
  const { kind, detail, target } = rows[Number(option.value)] ?? {}
  if (kind === 'business' && target) return { slug: target }
  return {
    terms:
      kind === 'category' && detail
        ? { findDesc: '', category: detail }
        : { findDesc: option.label },
  }
}
