import { translated } from '@/lib/translated'

/** Texts of the filter sheet, chips and the advanced search. */
export const filterMessages = translated('searchFilters', {
  when: 'When',
  onDay: 'With free times on',
  anyDay: 'Any day',
  price: (min: string, max: string) => {
    if (min !== '' && max !== '') return `${min}–${max}`
    if (min !== '') return `From ${min}`
    return max === '' ? '' : `Up to ${max}`
  },
  priceTitle: 'Price of the cheapest service',
  priceMin: 'From',
  priceMax: 'To',
  distanceTitle: 'Distance',
  anyDistance: 'Any distance',
  distance: (within: number, fromHere: boolean) => {
    if (within > 0) return `Within ${within} km${fromHere ? ' of you' : ''}`
    return fromHere ? 'Near you' : ''
  },
  within: (km: number) => `Within ${km} km`,
  fromPlace: (place: string) => `From the centre of ${place}`,
  fromHere: 'From where you are',
  fromNowhere: 'It counts from a place or from where you are.',
  useHere: 'Use my position',
  dropHere: 'Do not use my position',
  noPosition: 'Your position is not known',
  noPositionText: 'The browser did not give it. Say where instead, in the field above the results.',
  area: 'This area of the map',
  day: (day: string) => `Free on ${day}`,
  rating: 'Rating',
  anyRating: 'Any rating',
  ratingAtLeast: (rating: string) => `${rating} and more`,
  amenities: 'Amenities',
  clearAll: 'Clear all',
  show: 'Show results',
  showCount: (count: number, most: number) => {
    if (count > most) return `Show more than ${most.toLocaleString('en')} businesses`
    if (count === 0) return 'No businesses'
    return count === 1 ? 'Show 1 business' : `Show ${count.toLocaleString('en')} businesses`
  },
  advancedText: 'All filters at once. Fill in what matters, leave the rest open.',
})
