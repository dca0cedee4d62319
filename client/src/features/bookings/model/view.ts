/** The two halves of the page; which one is open stands in the address. */
export const bookingViews = ['upcoming', 'past'] as const
export type BookingView = (typeof bookingViews)[number]

export function readView(params: URLSearchParams): BookingView {
  return params.get('view') === 'past' ? 'past' : 'upcoming'
}
