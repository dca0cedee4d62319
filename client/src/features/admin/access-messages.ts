/**
 * Messages about access to the admin panel, in a separate file because they are loaded before the
 * panel (ERR-63).
 */
export const accessMessages = {
  verifying: 'Verifying admin access...',
  denied: (error: string) => `Access denied: ${error}`,
  notAdmin: 'User does not have admin privileges',
  profileError: (text: string) => `Profile error: ${text}`,
  profileText: 'Your role could not be read. Please try again.',
  retry: 'Try Again',
} as const
