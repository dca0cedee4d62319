import { fold } from '@/lib/text'

export type Place = {
  slug: string
  name: string
  local_name: string
  country: string
  latitude: number
  longitude: number
}

/** A location in two parts: the slug of a served place, and the text before it. */
export type Whereabouts = { city: string; area: string }

/** The option for a place that is not in the list. */
export const elsewhere = 'elsewhere'

/** Returns a place as it appears at the end of a location. */
export function placeLabel({ local_name: name, country }: Place): string {
  return country === 'Andorra' && name !== 'Andorra' ? `${name}, Andorra` : name
}

function spellings(place: Place): string[] {
  return [place.local_name, place.name].flatMap((name) => [`${name}, ${place.country}`, name])
}

/** Reports whether a text ends with a place's name as a separate part. */
function endsWith(text: string, ending: string): boolean {
  const [whole, end] = [fold(text), fold(ending)]
  return whole === end || whole.endsWith(`, ${end}`)
}

/** Splits a stored location: 'Gràcia, Barcelona' is Gràcia in Barcelona. */
export function readLocation(stored: string, places: readonly Place[]): Whereabouts {
  const text = stored.normalize('NFC').trim()
  const found = places
    .flatMap((place) => spellings(place).map((spelling) => ({ place, spelling })))
    .filter(({ spelling }) => endsWith(text, spelling))
    .sort((a, b) => b.spelling.length - a.spelling.length)[0]
  if (found === undefined) return { city: text === '' ? '' : elsewhere, area: text }
  const before = text.slice(0, text.length - found.spelling.length)
  return { city: found.place.slug, area: before.replace(/,?\s*$/, '') }
}

/** Returns the location to be stored for a place and the text before it. */
export function writeLocation({ city, area }: Whereabouts, places: readonly Place[]): string {
  const place = places.find(({ slug }) => slug === city)
  return [area.trim(), place ? placeLabel(place) : ''].filter((part) => part !== '').join(', ')
}
