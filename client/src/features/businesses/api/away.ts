import { db } from '@/lib/supabase'
import { distanceKm, formatKm } from '../model/distance'

type Point = { latitude: number; longitude: number }

/**
 * Returns the point from which a search measures distances, as the server does: `near`, or else the
 * place.
 */
async function readOrigin(
  near: string,
  findLoc: string,
  signal: AbortSignal,
): Promise<Point | null> {
  const [latitude, longitude] = near.split(',').map(Number)
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  const { data } = await db
    .rpc('suggest_places', { term: findLoc }, { get: true })
    .limit(1)
    .abortSignal(signal)
  return data?.[0] ?? null
}

/**
 * Returns a function that formats the distance of a business; undefined for one without a position.
 */
export async function readAway(near: string, findLoc: string, signal: AbortSignal) {
  const origin = await readOrigin(near, findLoc, signal)
  return (place: Point) =>
    origin && (place.latitude !== 0 || place.longitude !== 0)
      ? formatKm(distanceKm(origin, place))
      : undefined
}
