import { oneDecimal } from '@/lib/formats'

type Point = { latitude: number; longitude: number }

const earthKm = 12_742
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the distance between two points along the earth's surface, in kilometres. */
export function distanceKm(a: Point, b: Point): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  return (
    earthKm *
    Math.asin(
      Math.sqrt(
        half(a.latitude, b.latitude) +
          Math.cos(radians(a.latitude)) *
            Math.cos(radians(b.latitude)) *
            half(a.longitude, b.longitude),
      ),
    )
  )
}

/** Formats a distance: '1.2 km', '34 km'. */
export const formatKm = (km: number) =>
  `${km < 9.95 ? oneDecimal(Math.max(km, 0.1)) : Math.round(km)} km`
