import { queryOptions } from '@tanstack/react-query'
import { env } from '@/lib/env'
import { readStored, writeStored } from '@/lib/storage'
import { authorizedFetch } from '@/lib/supabase'
import { isSupported } from '../model/cities'
import {
  defaultLocation,
  type Location,
  locationKey,
  parseCached,
  parseDetected,
  toCached,
} from '../model/location'
import { locationKeys } from './keys'

/** How long a screen waits for the visitor's location, in milliseconds. */
const detectMs = 3_000

async function detect(signal: AbortSignal): Promise<Location> {
  try {
    const answer = await authorizedFetch(`${env.supabaseUrl}/functions/v1/geolocation`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(detectMs)]),
    })
    const place = answer.ok ? parseDetected(await answer.json()) : null
    if (!place) return defaultLocation
    return { ...place, isSupported: isSupported(place.city), source: 'auto-detected' }
  } catch (error) {
    if (signal.aborted) throw error
    return defaultLocation
  }
}

/**
 * The visitor's location: the stored one if it is less than a day old, otherwise the one that the
 * server derives from the IP address, otherwise the default. It never fails (LOC-07). A default is
 * not stored, so that the next visit tries again.
 */
export const locationQuery = queryOptions({
  queryKey: locationKeys.current,
  queryFn: async ({ signal }): Promise<Location> => {
    const stored = readStored(locationKey, (value) => parseCached(value, Date.now()))
    if (stored) return stored
    const detected = await detect(signal)
    if (detected.source === 'auto-detected') storeLocation(detected)
    return detected
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Stores a location for a day. */
export function storeLocation(location: Location): void {
  writeStored(locationKey, toCached(location, Date.now()))
}
