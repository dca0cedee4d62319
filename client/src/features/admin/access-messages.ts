/** Words of the way into the admin panel; they are loaded before it, so they stand apart (ERR-63). */
export const accessMessages = {
  verifying: 'Verifying admin access...',
  denied: (error: string) => `Access denied: ${error}`,
  notAdmin: 'User does not have admin privileges',
  profileError: (text: string) => `Profile error: ${text}`,
  profileText: 'Your role could not be read. Please try again.',
  retry: 'Try Again',
} as const
