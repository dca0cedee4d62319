import { fold } from '@/lib/text'

export type Place = {
  slug: string
  name: string
  local_name: string
  country: string
  latitude: number
  longitude: number
}

/** A location in its two parts: a served place by its slug, and what stands before it. */
export type Whereabouts = { city: string; area: string }

/** Stands in the list for a place that Plaza does not list. */
export const elsewhere = 'elsewhere'

/** A place as it stands at the end of a location. */
export function placeLabel({ local_name: name, country }: Place): string {
  return country === 'Andorra' && name !== 'Andorra' ? `${name}, Andorra` : name
}

function spellings(place: Place): string[] {
  return [place.local_name, place.name].flatMap((name) => [`${name}, ${place.country}`, name])
}

/** Whether a text ends with a place's name, as a part of its own. */
function endsWith(text: string, ending: string): boolean {
  const [whole, end] = [fold(text), fold(ending)]
  return whole === end || whole.endsWith(`, ${end}`)
}

/** The parts of a stored location: 'Gràcia, Barcelona' is Gràcia in Barcelona. */
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

/** The location that is stored for a place and what stands before it. */
export function writeLocation({ city, area }: Whereabouts, places: readonly Place[]): string {
  const place = places.find(({ slug }) => slug === city)
  return [area.trim(), place ? placeLabel(place) : ''].filter((part) => part !== '').join(', ')
}
