/** A result that has a place on the map. */
export type MapPlace = {
  id: string
  name: string
  latitude: number
  longitude: number
  /** What its pin says. */
  text: string
}

/** Latitude and longitude 0 stand for no position. */
export const hasPlace = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  latitude !== 0 || longitude !== 0

/** South, west, north and east. */
export type Bounds = readonly [number, number, number, number]

/** The least part of the map with all places in it; null of none. */
export function boundsOf(
  places: readonly Pick<MapPlace, 'latitude' | 'longitude'>[],
): Bounds | null {
  if (places.length === 0) return null
  const latitudes = places.map((place) => place.latitude)
  const longitudes = places.map((place) => place.longitude)
  return [
    Math.min(...latitudes),
    Math.min(...longitudes),
    Math.max(...latitudes),
    Math.max(...longitudes),
  ]
}

/** Bounds as they stand in an address; null for none. */
export function readBounds(text: string): Bounds | null {
  const [south, west, north, east] = text.split(',').map(Number)
  return text !== '' &&
    south !== undefined &&
    west !== undefined &&
    north !== undefined &&
    east !== undefined
    ? [south, west, north, east]
    : null
}

type Spot = { x: number; y: number }

/**
 * Gathers what would overlap on the screen: each group is of those that are nearer to its first one
 * than a pin is large. The order of the first ones stays.
 */
export function gather<T extends Spot>(spots: readonly T[], room: Spot): [T, ...T[]][] {
  const groups: [T, ...T[]][] = []
  for (const spot of spots) {
    const near = groups.find(
      ([first]) => Math.abs(first.x - spot.x) < room.x && Math.abs(first.y - spot.y) < room.y,
    )
    if (near) near.push(spot)
    else groups.push([spot])
  }
  return groups
}

/** Where so many stand around a place that no zoom takes apart, in pixels from it. */
export function ringOf(count: number, radius: number): Spot[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2
    return { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) }
  })
}
