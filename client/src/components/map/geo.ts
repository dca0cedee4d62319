/** A location on earth, in degrees. */
export type Point = { latitude: number; longitude: number }

/** Centre and zoom of a map. */
export type Look = Point & { zoom: number }

/** Spain and Andorra, the view of a map without a location. */
export const everywhere: Look = { latitude: 40.2, longitude: -3.6, zoom: 4.6 }

/**
 * Returns the view of a place. Without streets a close view would be empty, so it includes the
 * surrounding towns.
 */
export function lookAt(
  { latitude, longitude }: Point,
  what: 'town' | 'door',
  hasStreets: boolean,
): Look {
  const near = what === 'town' ? 12 : 15
  return { latitude, longitude, zoom: hasStreets ? near : 10 }
}

const digits = 6

/** Rounds a location to 6 decimals, a tenth of a metre, and limits it to valid coordinates. */
export function roundPoint({ latitude, longitude }: Point): Point {
  const wrapped = ((((longitude + 180) % 360) + 360) % 360) - 180
  return { latitude: round(Math.min(90, Math.max(-90, latitude))), longitude: round(wrapped) }
}

// Adding 0 turns -0 into 0.
const round = (degrees: number) => Number(degrees.toFixed(digits)) + 0

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}
const pixels = { plain: 10, shifted: 50 }

/** Returns how far an arrow key moves a pin on the screen, in pixels; null for other keys. */
export function stepOf(
  key: string,
  keys: { shiftKey: boolean; altKey: boolean; ctrlKey: boolean; metaKey: boolean },
): { x: number; y: number } | null {
  const arrow = arrows[key]
  if (!arrow || keys.altKey || keys.ctrlKey || keys.metaKey) return null
  const size = keys.shiftKey ? pixels.shifted : pixels.plain
  return { x: arrow[0] * size + 0, y: arrow[1] * size + 0 }
}
