import { SlidersHorizontal, Star, X } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { part } from '@/components/part'
import { cn } from '@/lib/cn'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import { filterCount, knownAmenities, type Terms } from '../model/terms'
import type { CategoryChoice } from './category-select'

// Loaded when it is opened.
const FilterSheet = part(async () => (await import('./filter-sheet')).FilterSheet)

type FilterBarProps = {
  terms: Terms
  /** Code of the category the terms name; '' for none. */
  categoryCode: string
  categories: readonly CategoryChoice[]
  onChange: (change: Partial<Terms>) => void
}

const quickRatings = [4, 4.5] as const
const quickAmenities = ['Wheelchair Accessible', 'Parking', 'Pet Friendly'] as const
const chip =
  'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-4 text-sm font-semibold whitespace-nowrap transition-colors'

/** The filters: those asked for most as chips, all of them in a sheet. */
export function FilterBar(props: FilterBarProps) {
  const { terms, onChange } = props
  // A filter that was set in the sheet and has no chip of its own gets one, so that it can be seen and dropped.
  const isQuick = (amenity: string) => quickAmenities.some((quick) => quick === amenity)
  const others = terms.amenities.filter((amenity) => !isQuick(amenity))
  const toggleAmenity = (amenity: string) =>
    onChange({
      amenities: knownAmenities.filter(
        (one) => terms.amenities.includes(one) !== (one === amenity),
      ),
    })
  return (
    <div className="-mx-4 flex items-start gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:overflow-visible sm:px-0">
      <FilterButton {...props} />
      {/* biome-ignore lint/a11y/useSemanticElements: toggle buttons that act at once are no form fields */}
      <div
        role="group"
        aria-label={messages.quickFilters}
        className="max-sm:contents sm:-m-1 sm:flex sm:min-w-0 sm:flex-1 sm:gap-2 sm:overflow-x-auto sm:p-1 sm:[scrollbar-width:none] lg:flex-wrap"
      >
        {quickRatings.map((step) => (
          <Chip
            key={step}
            isOn={terms.rating === step}
            onToggle={() => onChange({ rating: terms.rating === step ? 0 : step })}
          >
            <Star className="size-4 fill-saffron text-saffron" strokeWidth={0} aria-hidden />
            {step.toFixed(1)}+
          </Chip>
        ))}
        {[...quickAmenities, ...others].map((amenity) => (
          <Chip
            key={amenity}
            isOn={terms.amenities.includes(amenity)}
            onToggle={() => toggleAmenity(amenity)}
          >
            {amenity}
          </Chip>
        ))}
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

function Chip({
  isOn,
  onToggle,
  children,
}: {
  isOn: boolean
  onToggle: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={cn(
        chip,
        isOn
          ? 'border-primary bg-primary-soft text-primary'
          : 'border-control bg-surface hover:bg-sunken',
      )}
      onClick={onToggle}
    >
      {children}
      {isOn && <X className="-me-1 size-4" strokeWidth={1.75} aria-hidden />}
    </button>
  )
}

function FilterButton({ terms, categoryCode, categories, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false)
  // Once used it stays: a dialog gives the focus back when it shuts, not when it is removed.
  const [used, setUsed] = useState(false)
  const count = filterCount(terms)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={cn(chip, 'border-control bg-surface hover:bg-sunken')}
        onClick={() => {
          setUsed(true)
          setOpen(true)
        }}
      >
        <SlidersHorizontal className="size-4" strokeWidth={1.75} aria-hidden />
        {messages.filters}
        {count > 0 && (
          <span className="nums rounded-full bg-primary px-1.5 text-xs text-on-primary">
            {count}
            <span className="sr-only"> set</span>
          </span>
        )}
      </button>
      <Suspense>
        {used && (
          <FilterSheet
            open={open}
            start={{ category: categoryCode, rating: terms.rating, amenities: terms.amenities }}
            categories={categories}
            onClose={() => setOpen(false)}
            onApply={(filters) => {
              const chosen = categories.find((category) => category.code === filters.category)
              // A category nobody knows stays as it was typed unless another was chosen.
              const isSame = filters.category === categoryCode
              onChange({ ...filters, category: isSame ? terms.category : (chosen?.name ?? '') })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
