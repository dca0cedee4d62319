import { Star } from 'lucide-react'
import { useId } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { DatePicker } from '@/components/ui/date-picker'
import { Field } from '@/components/ui/field'
import { oneDecimal } from '@/lib/formats'
import { localName } from '@/lib/local-name'
import { addDays, marketDays } from '@/lib/time'
import { filterMessages } from '../filter-messages'
import { messages } from '../messages'
import type { FilterDraft } from '../model/filter-draft'
import { daysAhead } from '../model/read-filters'
import { knownAmenities, ratingSteps } from '../model/terms'
import { type CategoryChoice, CategorySelect } from './category-select'
import { DistanceFields } from './distance-fields'
import { PriceFields } from './price-fields'

export type FilterFieldsProps = {
  categories: readonly CategoryChoice[]
  /** `category` is a code here. */
  value: FilterDraft
  /** The searched place; '' for none. */
  findLoc: string
  /** Called with a change to the newest draft, which may be newer than `value`. */
  onChange: (change: (newest: FilterDraft) => FilterDraft) => void
}

/** The controls of all filters, for the sheet and the advanced search. */
export function FilterFields({ categories, value, findLoc, onChange }: FilterFieldsProps) {
  const change = (part: Partial<FilterDraft>) => onChange((newest) => ({ ...newest, ...part }))
  return (
    <div className="grid gap-7">
      <Field label={messages.category}>
        <CategorySelect
          categories={categories}
          value={value.category}
          onChange={(category) => change({ category })}
        />
      </Field>
      <WhenFields value={value} onChange={change} />
      <PriceFields value={value} onChange={change} />
      <DistanceFields
        value={value}
        findLoc={findLoc}
        onChange={change}
        onFound={(near) => onChange((newest) => ({ ...newest, near, within: newest.within || 5 }))}
      />
      <RatingFields value={value} onChange={change} />
      <fieldset className="grid gap-x-4 sm:grid-cols-2">
        <legend className="mb-1 text-sm font-semibold">{filterMessages.amenities}</legend>
        {knownAmenities.map((amenity) => (
          <Checkbox
            key={amenity}
            label={localName(amenity)}
            checked={value.amenities.includes(amenity)}
            onChange={({ target }) =>
              change({
                amenities: knownAmenities.filter((one) =>
                  one === amenity ? target.checked : value.amenities.includes(one),
                ),
              })
            }
          />
        ))}
      </fieldset>
    </div>
  )
}

type PartProps = { value: FilterDraft; onChange: (part: Partial<FilterDraft>) => void }

function WhenFields({ value, onChange }: PartProps) {
  const { first: today } = marketDays(new Date())
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">{filterMessages.when}</legend>
      <Checkbox
        label={messages.openNow}
        checked={value.open}
        onChange={({ target }) => onChange({ open: target.checked })}
      />
      <Field label={filterMessages.onDay}>
        <DatePicker
          value={value.on === '' ? null : value.on}
          onChange={(on) => onChange({ on })}
          placeholder={filterMessages.anyDay}
          today={today}
          min={today}
          max={addDays(today, daysAhead)}
        />
      </Field>
      {value.on !== '' && (
        <button
          type="button"
          className="min-h-11 w-fit text-sm font-semibold text-primary hover:underline"
          onClick={() => onChange({ on: '' })}
        >
          {filterMessages.anyDay}
        </button>
      )}
    </fieldset>
  )
}

function RatingFields({ value, onChange }: PartProps) {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-semibold">{filterMessages.rating}</legend>
      {[0, ...ratingSteps].map((step) => (
        <label key={step} className="flex min-h-11 items-center gap-3 text-base">
          <input
            type="radio"
            name={name}
            className="size-5 shrink-0 accent-primary"
            checked={value.rating === step}
            onChange={() => onChange({ rating: step })}
          />
          {step === 0 ? (
            filterMessages.anyRating
          ) : (
            <span className="inline-flex items-center gap-1.5">
              <Star className="size-4 fill-saffron text-saffron" strokeWidth={0} aria-hidden />
              {filterMessages.ratingAtLeast(oneDecimal(step))}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
