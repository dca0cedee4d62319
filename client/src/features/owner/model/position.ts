import { countText } from '@/lib/formats'
import type { Place } from './place'

/** A position in the form: typed numbers, both empty if there is none. */
export type Position = { latitude: string; longitude: string }

const numberOf = (text: string) => Number(text.trim().replace(',', '.'))
/** Converts the position of a pin or of a town's centre to form values. */
export const positionOf = ({
  latitude,
  longitude,
}: {
  latitude: number
  longitude: number
}): Position => ({
  latitude: String(latitude),
  longitude: String(longitude),
})

/** Parses a position; null if it is invalid. */
export function readPosition({ latitude, longitude }: Position): [number, number] | null {
  if (latitude.trim() === '' || longitude.trim() === '') return null
  const [lat, lon] = [numberOf(latitude), numberOf(longitude)]
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? [lat, lon] : null
}

/**
 * Returns the position after another town was selected: its centre if it was the former town's
 * centre; null if it is unchanged. If there is no position, there still is none: directions then
 * use the address, which is more precise than the centre.
 */
export function followTown(
  at: Position,
  former: Place | undefined,
  next: Place | undefined,
): Position | null {
  if (former === undefined || metresFrom(former, at) !== 0) return null
  return next ? positionOf(next) : { latitude: '', longitude: '' }
}

const earthMetres = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the distance of a position from the centre of a place; null if it is invalid. */
export function metresFrom(place: Place, at: Position): number | null {
  const position = readPosition(at)
  if (position === null) return null
  const [latitude, longitude] = position
  const a =
    Math.sin(radians(latitude - place.latitude) / 2) ** 2 +
    Math.cos(radians(latitude)) *
      Math.cos(radians(place.latitude)) *
      Math.sin(radians(longitude - place.longitude) / 2) ** 2
  return 2 * earthMetres * Math.asin(Math.sqrt(Math.min(1, a)))
}

/** Formats a distance: '350 m', '2.4 km', '31 km'. */
export function distanceText(metres: number): string {
  const tens = Math.round(metres / 10) * 10
  if (tens < 1000) return `${Math.max(10, tens)} m`
  const km = metres / 1000
  return km < 9.95 ? `${km.toFixed(1)} km` : `${countText(Math.round(km))} km`
}
