/** Texts of the profile; those quoted in the requirements are verbatim (ERR-22). */
export const messages = {
  title: 'Settings',
  tabs: 'Parts of your settings',
  profile: 'Profile',
  account: 'Account',
  notifications: 'Notifications',
  security: 'Security',

  pending: 'Loading your profile',
  loadError: 'Your profile could not be loaded',
  profileText: 'How others see you next to your bookings, messages and reviews.',
  fullName: 'Full Name',
  email: 'Email',
  emailHelp: 'You sign in with it. It cannot be changed here.',
  phone: 'Phone',
  phoneHelp: 'You sign in with it. It cannot be changed here.',
  save: 'Save changes',
  saved: 'Profile updated',
  saveError: 'Error updating profile',
  notAuthenticated: 'Not authenticated',

  export: 'Your data',
  exportText: 'A file with what we hold about your account, its sign-ins and its sessions.',
  exportButton: 'Download my data',
  exportDone: 'Your data was downloaded',
  exportError: 'Your data could not be downloaded',

  delete: 'Delete Account',
  deleteText:
    'Your profile, favorites, notifications and sessions are removed. This cannot be undone.',
  deleteTitle: 'Delete your account?',
  deleteGone: 'Removed for good',
  deleteGoneList: [
    'Your profile, your way to sign in, and all sessions on all devices',
    'Your favorites, saved searches and notifications',
  ],
  deleteKept: 'Kept, without your name',
  deleteKeptList: [
    'Your bookings, in the calendars of the businesses',
    'Reviews and messages you wrote; businesses you own lose their owner',
  ],
  deleteConfirm: (word: string) => `To confirm, type ${word}`,
  deleteMismatch: 'This is not the same',
  deleted: 'Account deleted',
  deletedText: 'You are signed out everywhere.',
  deleteError: 'Your account was not deleted',
  deleteRefusals: {
    last_admin: 'You are the last admin. Make somebody else an admin first.',
    not_enabled: 'Deleting accounts is switched off here. Please write to us.',
  },
  keep: 'Keep account',

  securityText:
    'Two-factor authentication, the devices you are signed in on, and what happened lately.',
  openSecurity: 'Open security',
} as const
