import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
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
    choose: (city: City) => void store(client, city),
  }
}

async function store(client: QueryClient, { name, country }: City): Promise<void> {
  const chosen: Location = { city: name, country, isSupported: true, source: 'manual' }
  storeLocation(chosen)
  // A detection in progress would replace the choice.
  await client.cancelQueries({ queryKey: locationKeys.current, exact: true })
  client.setQueryData(locationKeys.current, chosen)
}
