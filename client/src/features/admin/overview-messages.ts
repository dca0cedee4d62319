/** Texts of the dashboard card, separate from the panel's many texts (DASH-09). */
export const overviewMessages = {
  title: 'Admin Overview',
  pending: 'Counting',
  failed: 'The totals could not be loaded',
  totals: { users: 'Users', businesses: 'Businesses', bookings: 'Bookings' },
  open: 'Admin Dashboard',
} as const
