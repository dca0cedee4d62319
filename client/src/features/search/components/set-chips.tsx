import { filterMessages } from '../filter-messages'
import { filters } from '../model/filter-draft'
import { quickAmenities, quickRatings, type Terms } from '../model/terms'
import { Chip } from './chip'

type SetChipsProps = {
  terms: Terms
  onChange: (change: Partial<Terms>) => void
}

/** The active filters without a quick chip, each with a button to remove it. */
export function SetChips({ terms, onChange }: SetChipsProps) {
  const { on, priceMin, priceMax, within, near, bounds, rating, amenities } = terms
  const chips = [
    { key: 'on', text: on && filterMessages.day(on) },
    { key: 'price', text: filterMessages.price(priceMin, priceMax) },
    { key: 'distance', text: filterMessages.distance(within, near !== '') },
    { key: 'bounds', text: bounds && filterMessages.area },
    {
      key: 'rating',
      text: rating > 0 && !quickRatings.some((step) => step === rating) && `${rating.toFixed(1)}+`,
    },
  ] as const
  return (
    <>
      {chips.map(
        ({ key, text }) =>
          text && (
            <Chip key={key} isOn onToggle={() => onChange(filters[key])}>
              {text}
            </Chip>
          ),
      )}
      {amenities
        .filter((amenity) => !quickAmenities.some((quick) => quick === amenity))
        .map((amenity) => (
          <Chip
            key={amenity}
            isOn
            onToggle={() => onChange({ amenities: amenities.filter((one) => one !== amenity) })}
          >
            {amenity}
          </Chip>
        ))}
    </>
  )
}
