export const sessionKeys = {
  row: (sessionId: string) => ['session', 'row', sessionId] as const,
  timeout: (sessionId: string) => ['session', 'timeout', sessionId] as const,
}
