export const notificationKeys = {
  all: ['notifications'] as const,
  unread: (userId: string) => [...notificationKeys.all, 'unread', userId] as const,
  newest: (userId: string) => [...notificationKeys.all, 'newest', userId] as const,
  list: (userId: string) => [...notificationKeys.all, 'list', userId] as const,
}
