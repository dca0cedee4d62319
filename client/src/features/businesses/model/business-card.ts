/** The columns needed by a card; every list of businesses selects these. */
export const cardColumns =
  'id, owner_id, name, type, location, phone, image_url, hours, rating, combined_rating, user_ratings_total, category_code, time_zone, price_from, latitude, longitude'

/** A business in a list. */
export type CardBusiness = {
  id: string
  /** Null if there is no owner: such a business takes no bookings. */
  owner_id: string | null
  name: string
  type: string
  location: string
  phone: string | null
  image_url: string | null
  hours: unknown
  rating: number | null
  combined_rating: number | null
  user_ratings_total: number
  category_code: string | null
  time_zone: string
  /** The lowest price of its services; null if it has none. */
  price_from: number | null
  /** 0 and 0 mean no position. */
  latitude: number
  longitude: number
}
