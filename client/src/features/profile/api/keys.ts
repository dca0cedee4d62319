export const profileKeys = {
  own: (userId: string) => ['profile', 'own', userId] as const,
}
