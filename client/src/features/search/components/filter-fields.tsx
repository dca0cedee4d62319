import { Star } from 'lucide-react'
import { useId } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { filterMessages } from '../filter-messages'
import { messages } from '../messages'
import { knownAmenities, ratingSteps, type Terms } from '../model/terms'
import { type CategoryChoice, CategorySelect } from './category-select'

export type FilterDraft = Pick<Terms, 'category' | 'rating' | 'amenities'>

type FilterFieldsProps = {
  categories: readonly CategoryChoice[]
  /** `category` holds a code here. */
  value: FilterDraft
  onChange: (value: FilterDraft) => void
}

/** The controls of all filters, for the sheet and for the advanced search. */
export function FilterFields({ categories, value, onChange }: FilterFieldsProps) {
  const name = useId()
  const toggle = (amenity: string, isOn: boolean) =>
    onChange({
      ...value,
      amenities: knownAmenities.filter((one) =>
        one === amenity ? isOn : value.amenities.includes(one),
      ),
    })
  return (
    <div className="grid gap-7">
      <Field label={messages.category}>
        <CategorySelect
          categories={categories}
          value={value.category}
          onChange={(category) => onChange({ ...value, category })}
        />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-semibold">{filterMessages.rating}</legend>
        {[0, ...ratingSteps].map((step) => (
          <label key={step} className="flex min-h-11 items-center gap-3 text-base">
            <input
              type="radio"
              name={name}
              className="size-5 shrink-0 accent-primary"
              checked={value.rating === step}
              onChange={() => onChange({ ...value, rating: step })}
            />
            {step === 0 ? (
              filterMessages.anyRating
            ) : (
              <span className="inline-flex items-center gap-1.5">
                <Star className="size-4 fill-saffron text-saffron" strokeWidth={0} aria-hidden />
                {filterMessages.ratingAtLeast(step)}
              </span>
            )}
          </label>
        ))}
      </fieldset>
      <fieldset className="grid gap-x-4 sm:grid-cols-2">
        <legend className="mb-1 text-sm font-semibold">{filterMessages.amenities}</legend>
        {knownAmenities.map((amenity) => (
          <Checkbox
            key={amenity}
            label={amenity}
            checked={value.amenities.includes(amenity)}
            onChange={(event) => toggle(amenity, event.target.checked)}
          />
        ))}
      </fieldset>
    </div>
  )
}
