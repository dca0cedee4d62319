/**
 * Texts of pages that need a signed-in user; in a separate file, because each such page loads them.
 */
export const guardMessages = {
  checkingSession: 'Checking session...',
  checkingRole: 'Checking user role...',
  creatingProfile: 'Creating user profile...',
  verifying: (role: string) => `Verifying ${role} access...`,
  granted: 'Access granted',
  authRequired: 'Authentication required',
  authRequiredText: 'Please log in to access this page',
  denied: 'Access Denied',
  deniedText: (role: string) => `You need ${role} privileges to access this page`,
  createText: 'You need owner privileges to create businesses',
  ended: 'Session expired',
  endedText: 'Please log in again',
  sessionUnread: 'Authentication check failed',
  sessionUnreadText: 'Whether you are signed in could not be found out. Please try again.',
  roleUnread: 'Permission check failed',
  roleUnreadText: 'Unable to verify user permissions',
  profileError: 'Profile Error',
  profileCreateText: 'Failed to create user profile. Please try again.',
  profileLoadText: 'Failed to load user profile. Please try again.',
  retry: 'Try Again',
} as const
