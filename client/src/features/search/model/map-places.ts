/** A result with a position on the map. */
export type MapPlace = {
  id: string
  name: string
  latitude: number
  longitude: number
  /** The label of its pin. */
  text: string
}

/** Latitude and longitude 0 mean no position. */
export const hasPlace = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  latitude !== 0 || longitude !== 0

/** South, west, north and east. */
export type Bounds = readonly [number, number, number, number]

/** Returns the smallest bounds that contain all places; null if there are none. */
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

/** Parses bounds from the URL; null if there are none. */
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
 * Clusters places that would overlap on the screen: each group consists of places closer to its
 * first one than the size of a pin. The order of the first ones is kept.
 */
export function cluster<T extends Spot>(spots: readonly T[], room: Spot): [T, ...T[]][] {
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

/** Arranges a number of pins around a place that no zoom separates, in pixels from it. */
export function circleAround(count: number, radius: number): Spot[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2
    return { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) }
  })
}
