export const favoriteKeys = {
  all: ['favorites'] as const,
  list: (userId: string) => [...favoriteKeys.all, 'list', userId] as const,
  count: (userId: string) => [...favoriteKeys.all, 'count', userId] as const,
  one: (userId: string, businessId: string) =>
    [...favoriteKeys.all, 'one', userId, businessId] as const,
}
