import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { countQuery } from '@/features/businesses/api/count'
import type { CategoryChoice } from '@/features/search/components/category-select'
import { FilterSheet } from '@/features/search/components/filter-sheet'
import { filterMessages } from '@/features/search/filter-messages'
import { maxCounted } from '@/features/search/messages'
import { draftOf, type FilterDraft } from '@/features/search/model/filter-draft'
import { findCategory, type Terms } from '@/features/search/model/terms'
import { useDebounced } from '@/lib/use-debounced'

type SearchSheetProps = {
  open: boolean
  onClose: () => void
  terms: Terms
  categories: readonly CategoryChoice[]
  onChange: (change: Partial<Terms>) => void
}

/** The search filters in a sheet, with the number of businesses that match them. */
export function SearchSheet({ open, onClose, terms, categories, onChange }: SearchSheetProps) {
  const code = findCategory(terms.category, categories)?.code ?? ''
  const withName = (filters: FilterDraft) => ({
    ...filters,
    // An unknown category stays as it was typed unless another was chosen.
    category:
      filters.category === code
        ? terms.category
        : (categories.find((one) => one.code === filters.category)?.name ?? ''),
  })
  return (
    <FilterSheet
      open={open}
      onClose={onClose}
      start={{ ...draftOf(terms), category: code }}
      categories={categories}
      findLoc={terms.findLoc}
      showLabel={(draft) => <ShowLabel draft={draft} terms={{ ...terms, ...withName(draft) }} />}
      onApply={(filters) => onChange(withName(filters))}
    />
  )
}

/** Counts once the draft has stopped changing; a further change aborts the previous request. */
function ShowLabel({ draft, terms }: { draft: FilterDraft; terms: Terms }) {
  const rested = useDebounced({ draft, terms })
  const { data, isFetching } = useQuery({
    ...countQuery(rested.terms),
    placeholderData: keepPreviousData,
  })
  const isKnown = data !== undefined && rested.draft === draft && !isFetching
  const text = data === undefined ? filterMessages.show : filterMessages.showCount(data, maxCounted)
  return (
    <span aria-live="polite" aria-busy={!isKnown} className={isKnown ? undefined : 'opacity-80'}>
      {text}
    </span>
  )
}
