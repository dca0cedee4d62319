export const ownerKeys = {
  all: ['owner'] as const,
  list: (userId: string) => [...ownerKeys.all, 'list', userId] as const,
  summary: (id: string) => [...ownerKeys.all, 'summary', id] as const,
  business: (id: string) => [...ownerKeys.all, 'business', id] as const,
  /** Apart from the others: a saved business does not change the places. */
  places: ['owner-places'] as const,
}
