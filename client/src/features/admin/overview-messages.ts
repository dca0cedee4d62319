/** Words of the card on the dashboard; apart from the panel's, which are many (DASH-09). */
export const overviewMessages = {
  title: 'Admin Overview',
  pending: 'Counting',
  failed: 'The totals could not be loaded',
  totals: { users: 'Users', businesses: 'Businesses', bookings: 'Bookings' },
  open: 'Admin Dashboard',
} as const
