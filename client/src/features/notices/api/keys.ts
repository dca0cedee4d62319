export const noticeKeys = {
  settings: (userId: string) => ['notices', 'settings', userId] as const,
}
