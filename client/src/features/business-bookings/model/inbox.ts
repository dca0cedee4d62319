/** The filters of the list: open bookings (the default), or bookings of one status. */
export const inboxFilters = ['open', 'pending', 'confirmed', 'completed', 'cancelled'] as const
export type InboxFilter = (typeof inboxFilters)[number]

export type InboxAddress = { filter: InboxFilter; page: number }

export const inboxPageSize = 20

const maxPage = 10_000

/** Reads filter and page from the URL; unknown values get their defaults. */
export function readInbox(params: URLSearchParams): InboxAddress {
  const filter = inboxFilters.find((one) => one === params.get('show')) ?? 'open'
  const page = Number(params.get('page') ?? '1')
  return { filter, page: Number.isInteger(page) && page >= 1 && page <= maxPage ? page : 1 }
}

/** Returns the URL parameters of a filter and a page, without defaults. */
export function inboxParams({ filter, page }: InboxAddress): URLSearchParams {
  const params = new URLSearchParams()
  if (filter !== 'open') params.set('show', filter)
  if (page > 1) params.set('page', String(page))
  return params
}
