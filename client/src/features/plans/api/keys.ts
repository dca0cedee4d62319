export const planKeys = {
  all: ['plans'] as const,
  list: () => [...planKeys.all, 'list'] as const,
  subscription: (userId: string) => [...planKeys.all, 'subscription', userId] as const,
}
