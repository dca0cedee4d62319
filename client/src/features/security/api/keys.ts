export const securityKeys = {
  all: ['security'] as const,
  overview: (userId: string) => [...securityKeys.all, 'overview', userId] as const,
  sessions: (userId: string) => [...securityKeys.all, 'sessions', userId] as const,
  events: (userId: string) => [...securityKeys.all, 'events', userId] as const,
  factor: (userId: string) => [...securityKeys.all, 'factor', userId] as const,
  backupCodes: (userId: string) => [...securityKeys.all, 'backup-codes', userId] as const,
  passkeys: (userId: string) => [...securityKeys.all, 'passkeys', userId] as const,
}
