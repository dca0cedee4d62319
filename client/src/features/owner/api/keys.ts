export const ownerKeys = {
  all: ['owner'] as const,
  list: (userId: string) => [...ownerKeys.all, 'list', userId] as const,
  summary: (id: string) => [...ownerKeys.all, 'summary', id] as const,
  business: (id: string) => [...ownerKeys.all, 'business', id] as const,
  /** Separate from the others: saving a business does not change the places. */
  places: ['owner-places'] as const,
}
