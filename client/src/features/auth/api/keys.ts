export const authKeys = { account: (userId: string) => ['auth', 'account', userId] as const }
