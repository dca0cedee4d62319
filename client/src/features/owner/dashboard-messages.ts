/** Texts of the businesses on the dashboard (DASH-10 to DASH-13). */
export const dashboardMessages = {
  title: 'My Businesses',
  tabs: 'Your businesses',
  add: 'Add Business',
  edit: 'Edit Business',
  create: 'Create Business',
  pending: 'Loading your businesses',
  failed: 'Could not fetch your businesses',
  empty: "You don't have any businesses yet",
  emptyText: 'Create one, and its bookings, availability and reviews are looked after here.',
  summary: 'Summary',
  summaryFailed: 'The summary could not be loaded',
  stats: {
    rating: 'Rating',
    reviews: 'Reviews',
    waiting: 'Waiting for confirmation',
    ahead: 'Upcoming bookings',
  },
  noRating: 'None yet',
  parts: 'Parts of the business',
  part: {
    metrics: 'Business Metrics',
    analytics: 'Analytics',
    availability: 'Availability',
    reviews: 'Reviews',
  },
} as const
