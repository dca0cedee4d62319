/** The parameter that names the booking whose sheet is open; links of notifications carry it (NOTIF-05). */
const openParam = 'booking'

export function openBooking(params: URLSearchParams): string | null {
  return params.get(openParam)
}

/** The address's parameters with the sheet of a booking open, or none; everything else in them stays. */
export function withBooking(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === null) next.delete(openParam)
  else next.set(openParam, id)
  return next
}
