import { ChevronDown, ListFilter, Star } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { Deferred } from '@/components/deferred'
import { cn } from '@/lib/cn'
import { oneDecimal } from '@/lib/formats'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import { sorts } from '../model/read-filters'
import {
  filterCount,
  knownAmenities,
  quickAmenities,
  quickRatings,
  type Terms,
} from '../model/terms'
import { Chip, chipClass, chipOff } from './chip'

export type FilterBarProps = {
  terms: Terms
  onChange: (change: Partial<Terms>) => void
  /** The active filters without a quick chip. */
  others: ReactNode
  /** The sheet with all filters. It is loaded when it is first opened, and then stays mounted. */
  sheet: (state: { open: boolean; onClose: () => void }) => ReactNode
}

/** The sort order, and the filters: the most common as chips, all of them in a sheet. */
export function FilterBar({ terms, onChange, others, sheet }: FilterBarProps) {
  const toggleAmenity = (amenity: string) =>
    onChange({
      amenities: knownAmenities.filter(
        (one) => terms.amenities.includes(one) !== (one === amenity),
      ),
    })
  return (
    <div className="sticky top-16 z-20 -mx-4 flex items-start gap-2 overflow-x-auto bg-ground px-4 py-2 [scrollbar-width:none] sm:mx-0 sm:overflow-visible sm:px-0">
      <FilterButton terms={terms} sheet={sheet} />
      <SortSelect terms={terms} onChange={onChange} />
      {/* biome-ignore lint/a11y/useSemanticElements: toggle buttons that act at once are not form fields */}
      <div
        role="group"
        aria-label={messages.quickFilters}
        className="max-sm:contents sm:-m-1 sm:flex sm:min-w-0 sm:flex-1 sm:gap-2 sm:overflow-x-auto sm:p-1 sm:[scrollbar-width:none]"
      >
        <Suspense>{others}</Suspense>
        <Chip isOn={terms.open} onToggle={() => onChange({ open: !terms.open })}>
          {messages.openNow}
        </Chip>
        {quickRatings.map((step) => (
          <Chip
            key={step}
            isOn={terms.rating === step}
            onToggle={() => onChange({ rating: terms.rating === step ? 0 : step })}
          >
            <Star className="size-4 fill-saffron text-saffron" strokeWidth={0} aria-hidden />
            {oneDecimal(step)}+
          </Chip>
        ))}
        {/* Outside a phone's first screen, to the right. */}
        <Deferred room={null}>
          {quickAmenities.map((amenity) => (
            <Chip
              key={amenity}
              isOn={terms.amenities.includes(amenity)}
              onToggle={() => toggleAmenity(amenity)}
            >
              {localName(amenity)}
            </Chip>
          ))}
        </Deferred>
      </div>
      <Link
        to={paths.advancedSearch}
        className="inline-flex min-h-11 shrink-0 items-center px-2 text-sm font-semibold whitespace-nowrap text-primary hover:underline"
      >
        {messages.advancedLink}
      </Link>
    </div>
  )
}

function FilterButton({ terms, sheet }: Pick<FilterBarProps, 'terms' | 'sheet'>) {
  const [open, setOpen] = useState(false)
  // Once used it stays mounted: a dialog returns the focus when it closes, not when it is
  // unmounted.
  const [used, setUsed] = useState(false)
  const count = filterCount(terms)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={cn(chipClass, chipOff)}
        onClick={() => {
          setUsed(true)
          setOpen(true)
        }}
      >
        <ListFilter className="size-4" strokeWidth={1.75} aria-hidden />
        {messages.filters}
        {count > 0 && (
          <span className="nums rounded-full bg-primary px-1.5 text-xs text-on-primary">
            <span aria-hidden>{count}</span>
            <span className="sr-only">{messages.filtersSet(count)}</span>
          </span>
        )}
      </button>
      <Suspense>{used && sheet({ open, onClose: () => setOpen(false) })}</Suspense>
    </>
  )
}

/** The sort order of the results; a native select styled as a chip. */
function SortSelect({ terms, onChange }: Pick<FilterBarProps, 'terms' | 'onChange'>) {
  return (
    <span className="relative flex shrink-0">
      <select
        aria-label={messages.sort}
        className={cn(chipClass, chipOff, 'field-sizing-content appearance-none pe-9')}
        value={terms.sort}
        onChange={({ target }) =>
          onChange({ sort: sorts.find((one) => one === target.value) ?? '' })
        }
      >
        {['' as const, ...sorts].map((sort) => (
          <option key={sort} value={sort}>
            {messages.sorts[sort]}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-muted"
        strokeWidth={1.75}
        aria-hidden
      />
    </span>
  )
}
