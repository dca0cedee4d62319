/** The two views of the page; the URL says which one is shown. */
export const bookingViews = ['upcoming', 'past'] as const
export type BookingView = (typeof bookingViews)[number]

export function readView(params: URLSearchParams): BookingView {
  return params.get('view') === 'past' ? 'past' : 'upcoming'
}
