export const sellerKeys = {
  all: ['seller'] as const,
  application: (userId: string) => [...sellerKeys.all, 'application', userId] as const,
}
