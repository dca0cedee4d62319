import { matchCities } from '@/features/location/model/cities'

/** The places that a text may mean, for a box with suggestions. */
export const suggestCities = (text: string) =>
  matchCities(text).map((city) => ({ value: city.name, label: city.name, note: city.country }))
