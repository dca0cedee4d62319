/** Words of pages that need somebody signed in; they are loaded with every such page, so they stand apart. */
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
  profileError: 'Profile Error',
  profileCreateText: 'Failed to create user profile. Please try again.',
  profileLoadText: 'Failed to load user profile. Please try again.',
  retry: 'Try Again',
} as const
