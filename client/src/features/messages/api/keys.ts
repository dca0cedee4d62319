export const messageKeys = {
  all: ['messages'] as const,
  unread: (userId: string) => [...messageKeys.all, 'unread', userId] as const,
  conversations: (userId: string) => [...messageKeys.all, 'conversations', userId] as const,
  conversation: (userId: string, id: string) =>
    [...messageKeys.all, 'conversation', userId, id] as const,
  ofBusiness: (userId: string, businessId: string) =>
    [...messageKeys.all, 'of-business', userId, businessId] as const,
  business: (businessId: string) => [...messageKeys.all, 'business', businessId] as const,
  list: (conversationId: string) => [...messageKeys.all, 'list', conversationId] as const,
  // Not below `all`, since new messages do not change photos.
  photo: (name: string) => ['message-photo', name] as const,
}
