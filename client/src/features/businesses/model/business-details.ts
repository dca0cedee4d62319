import { messages } from '../page-messages'

/** The columns of a business page, with its services by name and its photos in order. */
export const detailColumns =
  'id, owner_id, name, type, location, address, phone, website, image_url, logo, latitude, longitude, hours, amenities, description, tagline, company_values, languages, rating, combined_rating, user_ratings_total, rating_sources, category_code, time_zone, city:cities(slug, name), url_path, migrated_url, services(id, name, description, price, duration), photos:business_photos(id, photo_url, caption)'

/** A service as it is listed and booked. Price in units of the display currency, duration in minutes. */
export type Service = {
  id: string
  name: string
  description: string | null
  price: number
  duration: number
}

export type Photo = { id: string; url: string; caption: string | null }

type Pictured = {
  name: string
  image_url: string | null
  photos: readonly { id: string; photo_url: string; caption: string | null }[]
}

function captionOf(url: string, photos: Pictured['photos']): string | null {
  return photos.find((photo) => photo.photo_url === url)?.caption ?? null
}

/**
 * Returns all photos of a business: the cover first, then the others in order, without duplicates.
 */
export function photosOf({ image_url: cover, photos }: Pictured): Photo[] {
  const others = photos
    .filter((photo) => photo.photo_url !== cover)
    .map((photo) => ({ id: photo.id, url: photo.photo_url, caption: photo.caption }))
  return cover === null || cover === ''
    ? others
    : [{ id: 'cover', url: cover, caption: captionOf(cover, photos) }, ...others]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export type Amenity = { name: string; icon: string }

/** Returns the available amenities; the stored value may be anything. */
export function parseAmenities(value: unknown): Amenity[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.name !== 'string' || entry.available === false) return []
    return [{ name: entry.name, icon: typeof entry.icon === 'string' ? entry.icon : '' }]
  })
}

/** Returns a website as a link, if it is safe to follow. */
export function websiteOf(value: string | null): { href: string; label: string } | null {
  if (value === null || !URL.canParse(value)) return null
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  return { href: url.href, label: url.host.replace(/^www\./, '') }
}

/**
 * Returns the number of reviews per rating, five stars first, including ratings without reviews.
 */
export function distributionOf(
  given: readonly { stars: number; reviews: number }[],
): { stars: number; count: number }[] {
  return [5, 4, 3, 2, 1].map((stars) => ({
    stars,
    count: given.find((one) => one.stars === stars)?.reviews ?? 0,
  }))
}

/**
 * Describes how many reviews are from Plaza and how many from elsewhere; null if all are from
 * Plaza.
 */
export function sourcesOf({
  user_ratings_total,
  rating_sources,
}: {
  user_ratings_total: number
  rating_sources: unknown
}): string | null {
  const others = parseSources(rating_sources)
  if (others.length === 0) return null
  const here = others.reduce((rest, { count }) => rest - count, user_ratings_total)
  const parts = others.map(({ source, count }) =>
    source === importSource ? messages.elsewhere(count) : messages.atSource(count, source),
  )
  return [messages.onPlaza(Math.max(0, here)), ...parts].join(', ')
}

/** The source of ratings that came with an imported file, which does not say where they are from. */
const importSource = 'CSV-upload'

/** Parses the other sources of the rating, with the number of reviews of each. */
function parseSources(value: unknown): { source: string; count: number }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return []
    const { source, count } = entry
    return typeof source === 'string' && typeof count === 'number' && count > 0
      ? [{ source, count }]
      : []
  })
}
