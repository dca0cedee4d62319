import { findCity, isSupported } from './cities'

/** How the location was determined (LOC-05). */
export type LocationSource = 'cached' | 'auto-detected' | 'manual' | 'fallback'

/** The value stored in local storage for a day (LOC-08). */
export type CachedLocation = {
  city: string
  country: string
  isSupported: boolean
  /** Milliseconds since the epoch. */
  timestamp: number
}

export type Location = {
  city: string
  country: string
  isSupported: boolean
  source: LocationSource
}

/** Local storage key of the location (AUTH-25, LOC-08). */
export const locationKey = 'plaza.location'

/** How long a stored location is valid (CONST-04). */
export const locationLifetimeMs = 24 * 60 * 60 * 1000

/** The location if nothing is known (LOC-07). */
export const defaultLocation: Location = {
  city: 'Andorra',
  country: 'Andorra',
  isSupported: true,
  source: 'fallback',
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Parses the geolocation service's response, in the spelling of RULE-22; null if it is invalid. */
export function parseDetected(answer: unknown): { city: string; country: string } | null {
  if (!isRecord(answer)) return null
  const { city, country_name: country } = answer
  if (typeof city !== 'string' || city.trim() === '' || typeof country !== 'string') return null
  return { city: findCity(city)?.name ?? city.trim(), country }
}

/** Returns a stored location if it is complete and less than a day old; otherwise null. */
export function parseCached(value: unknown, now: number): Location | null {
  if (!isRecord(value)) return null
  const { city, country, timestamp } = value
  if (typeof city !== 'string' || typeof country !== 'string' || typeof timestamp !== 'number') {
    return null
  }
  const age = now - timestamp
  if (age < 0 || age >= locationLifetimeMs) return null
  return { city, country, isSupported: isSupported(city), source: 'cached' }
}

export function toCached({ city, country }: Location, now: number): CachedLocation {
  return { city, country, isSupported: isSupported(city), timestamp: now }
}

/**
 * Returns the city to search in: the visitor's own if Plaza serves it, otherwise the default
 * (LOC-09).
 */
export function searchCity(location: Location): string {
  return location.isSupported ? location.city : defaultLocation.city
}
