import type { Terms } from './terms'

/** The sort orders of results; the default is the best first. */
export const sorts = ['distance', 'price', 'rating', 'newest'] as const
export type Sort = (typeof sorts)[number]

/** The selectable distances, in kilometres. */
export const distances = [1, 2, 5, 10, 25, 50] as const

const day = 86_400_000
const maxServicePrice = 100_000
/** How far ahead a day may be: the maximum for bookings. */
export const daysAhead = 366

/** Parses a maximum price in cents, above zero; 0 for anything else. */
export function readPrice(value: string | null): number {
  const price = Math.round(Number(value) * 100) / 100
  return price > 0 && price <= maxServicePrice ? price : 0
}

/** Parses a day that is not in the past; '' for anything else. */
function readDay(value: string, now: number): string {
  const from = Date.parse(value)
  const isDay =
    /^\d{4}-\d\d-\d\d$/.test(value) && new Date(from || 0).toISOString().startsWith(value)
  // Yesterday is accepted, because it may still be that day in some time zone.
  return isDay && from > now - 2 * day && from < now + daysAhead * day ? value : ''
}

/** Parses comma-separated numbers, alternating latitudes and longitudes; '' for anything else. */
function readPoints(value: string, count: 2 | 4): string {
  const degrees = value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const isPlace =
    degrees.length === count &&
    degrees.every((one, index) => Math.abs(one) <= (index % 2 ? 180 : 90))
  const [south = 0, west = 0, north = 90, east = 180] = degrees
  return isPlace && south < north && west < east ? pointsOf(degrees) : ''
}

/** Formats degrees for the URL, to about ten metres. */
export const pointsOf = (degrees: readonly number[]) =>
  degrees.map((one) => Number(one.toFixed(4))).join()

/** Reads the filters from the URL; invalid ones are ignored. */
export function readFilters(params: URLSearchParams): Partial<Terms> {
  const text = (name: string) => (params.get(name) ?? '').trim()
  const oneOf = <T extends string | number, None>(values: readonly T[], name: string, none: None) =>
    values.find((value) => String(value) === text(name)) ?? none
  const prices = [readPrice(params.get('price_min')), readPrice(params.get('price_max'))] as const
  const isSwapped = prices[1] > 0 && prices[0] > prices[1]
  return {
    open: text('open') === '1',
    on: readDay(text('on'), Date.now()),
    priceMin: prices[isSwapped ? 1 : 0],
    priceMax: prices[isSwapped ? 0 : 1],
    within: oneOf(distances, 'within', 0),
    near: readPoints(text('near'), 2),
    bounds: readPoints(text('bounds'), 4),
    sort: oneOf(sorts, 'sort', ''),
    view: oneOf(['map'], 'view', ''),
  }
}
