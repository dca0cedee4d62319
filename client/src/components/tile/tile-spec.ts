/**
 * Selects the tile of a business.
 *
 * The server makes the same selection for the social image, so the algorithm is
 * specified exactly (both are tested against testdata/tile-vectors.json):
 *
 * 1. `hash` = FNV-1a, 32 bits, over the UTF-8 bytes of `category + "/" + id`
 *    (offset basis 2166136261, prime 16777619, arithmetic modulo 2^32).
 * 2. A category that is not in tile-data.json is replaced, for everything but
 *    the hash, by `names[fnv1a(category) % names.length]`, names sorted by byte.
 * 3. With an empty id: the category's first motif, orders[0], scales[2].
 *    Otherwise, in unsigned arithmetic:
 *      motif = motifs[hash % motifs.length]
 *      order = orders[(hash >>> 8) % orders.length]
 *      scale = scales[(hash >>> 16) % scales.length]
 * 4. `colors[i] = palette[order[i]]`; a shape's `fill` indexes `colors`, and
 *    colors[0] is the background.
 *
 * Drawing: the quadrant is a square of 100 units whose (0,0) is the outer corner
 * of the tile and (100,100) its centre. Paint the background, then the shapes in
 * order, clipped to the square. Mirror it left-right, top-bottom and both: a tile
 * of 200 units. Repeat at `scale` pixels a tile, with hairline joints at its edges.
 */
import data from './tile-data.json'

export type Shape = { fill: number; path?: string; circle?: number[] }

export type TileSpec = {
  motif: string
  shapes: readonly Shape[]
  /** Four flat colours; the first is the background. */
  colors: readonly string[]
  /** Side of one tile in pixels, before `zoom` is applied. */
  scale: number
}

type Category = { motifs: string[]; colors: string[] }

const motifs: Record<string, readonly Shape[]> = data.motifs
const categories: Record<string, Category> = data.categories
const names = Object.keys(categories).sort()

/** Returns FNV-1a over the UTF-8 bytes of a text, as an unsigned 32-bit number. */
export function fnv1a(text: string): number {
  let hash = 2166136261
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 16777619)
  }
  return hash >>> 0
}

function at<T>(list: readonly T[], index: number): T {
  const value = list[index % list.length]
  if (value === undefined) throw new RangeError('tile-data.json holds an empty list')
  return value
}

/** The top categories with their own palette. */
export const tileCategories: readonly string[] = names

/** Returns the tile of a business, or of a category if the id is omitted. */
export function tileSpec(category: string, id = ''): TileSpec {
  const known = categories[category] ?? categories[at(names, fnv1a(category))]
  if (!known) throw new RangeError('tile-data.json holds no category')
  const hash = fnv1a(`${category}/${id}`)
  const motif = id === '' ? at(known.motifs, 0) : at(known.motifs, hash)
  const order = id === '' ? at(data.orders, 0) : at(data.orders, hash >>> 8)
  const scale = id === '' ? at(data.scales, 2) : at(data.scales, hash >>> 16)
  return {
    motif,
    shapes: motifs[motif] ?? [],
    colors: order.map((index) => at(known.colors, index)),
    scale,
  }
}
