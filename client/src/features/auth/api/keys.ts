export const authKeys = {
  account: (userId: string) => ['auth', 'account', userId] as const,
  settings: ['auth', 'settings'] as const,
  exchange: (code: string) => ['auth', 'exchange', code] as const,
}
