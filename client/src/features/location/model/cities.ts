import { popularCityNames } from '@/lib/popular-places'
import { fold, slugify } from '@/lib/text'
import places from './places.json'

export type City = { name: string; country: string; aliases?: readonly string[] }

/**
 * The places that Plaza serves (RULE-22), in the requirements' spelling, with alternative
 * spellings: the server reads this file, too.
 */
export const cities: readonly City[] = places

export const popularCities: readonly City[] = popularCityNames.flatMap((name) => {
  const city = cities.find((one) => one.name === name)
  return city ? [city] : []
})

/** Maximum number of listed matches (LOC-02). */
const maxMatches = 8

const supported = new Set(cities.map((city) => city.name.toLowerCase()))

/** Reports whether a place is in the list of RULE-22, by its name there, ignoring case. */
export function isSupported(city: string): boolean {
  return supported.has(city.trim().toLowerCase())
}

/** Returns the city with a name, in any of its spellings. */
export function findCity(name: string): City | undefined {
  const wanted = fold(name)
  return cities.find((city) => spellings(city).includes(wanted))
}

/** Returns the city with this slug, in any of its spellings: 'sevilla' → Seville. */
export function findPlace(slug: string): City | undefined {
  return cities.find((city) => spellings(city).some((name) => slugify(name) === slug))
}

function spellings(city: City): string[] {
  return [city.name, ...(city.aliases ?? [])].map(fold)
}

/** Returns the cities that match a text: those that begin with it first, at most eight (LOC-02). */
export function matchCities(text: string): City[] {
  const wanted = fold(text)
  if (wanted === '') return [...popularCities]
  const rank = (city: City) => {
    const all = spellings(city)
    if (all.some((spelling) => spelling.startsWith(wanted))) return 0
    return all.some((spelling) => spelling.includes(wanted)) ? 1 : 2
  }
  return cities
    .map((city) => ({ city, rank: rank(city) }))
    .filter((match) => match.rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxMatches)
    .map((match) => match.city)
}
