export const favoriteKeys = {
  all: ['favorites'] as const,
  one: (userId: string, businessId: string) =>
    [...favoriteKeys.all, 'one', userId, businessId] as const,
}
