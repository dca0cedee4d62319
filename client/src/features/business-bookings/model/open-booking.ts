/**
 * The URL parameter for the booking whose sheet is open; links in notifications use it (NOTIF-05).
 */
const openParam = 'booking'

export function openBooking(params: URLSearchParams): string | null {
  return params.get(openParam)
}

/**
 * Returns the URL parameters with the sheet of a booking open, or closed for null; all others are
 * kept.
 */
export function withBooking(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === null) next.delete(openParam)
  else next.set(openParam, id)
  return next
}
