export const supportKeys = {
  of: (userId: string) => ['support', userId] as const,
  list: (userId: string) => [...supportKeys.of(userId), 'list'] as const,
  one: (userId: string, id: string) => [...supportKeys.of(userId), id] as const,
}
