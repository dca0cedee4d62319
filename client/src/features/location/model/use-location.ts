import { useQuery, useQueryClient } from '@tanstack/react-query'
import { locationKeys } from '../api/keys'
import { locationQuery, storeLocation } from '../api/queries'
import type { City } from './cities'
import { defaultLocation, type Location, searchCity } from './location'

/** The visitor's location, the city to search in, and a function to choose another. */
export function useLocationChoice() {
  const client = useQueryClient()
  const { data, isPending } = useQuery(locationQuery)
  const location = data ?? defaultLocation
  return {
    location,
    isPending,
    city: searchCity(location),
    choose: (city: City) => {
      const chosen: Location = {
        city: city.name,
        country: city.country,
        isSupported: true,
        source: 'manual',
      }
      storeLocation(chosen)
      client.setQueryData(locationKeys.current, chosen)
    },
  }
}
