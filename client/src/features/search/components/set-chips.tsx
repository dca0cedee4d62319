import { oneDecimal } from '@/lib/formats'
import { localName } from '@/lib/local-name'
import { formatPrice } from '@/lib/money'
import { formatDay } from '@/lib/time'
import { filterMessages } from '../filter-messages'
import { filters } from '../model/filter-draft'
import { quickAmenities, quickRatings, type Terms } from '../model/terms'
import { Chip } from './chip'

type SetChipsProps = {
  terms: Terms
  onChange: (change: Partial<Terms>) => void
}

/** A limit of the price; '' for none. */
const priceText = (price: number) => (price > 0 ? formatPrice(price) : '')

/** The active filters without a quick chip, each with a button to remove it. */
export function SetChips({ terms, onChange }: SetChipsProps) {
  const { on, priceMin, priceMax, within, near, bounds, rating, amenities } = terms
  const chips = [
    { key: 'on', text: on && filterMessages.day(formatDay(on)) },
    { key: 'price', text: filterMessages.price(priceText(priceMin), priceText(priceMax)) },
    { key: 'distance', text: filterMessages.distance(within, near !== '') },
    { key: 'bounds', text: bounds && filterMessages.area },
    {
      key: 'rating',
      text: rating > 0 && !quickRatings.some((step) => step === rating) && `${oneDecimal(rating)}+`,
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
            {localName(amenity)}
          </Chip>
        ))}
    </>
  )
}
