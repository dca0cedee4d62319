/** Texts of notifications; those quoted in the requirements are verbatim (ERR-23). */
export const messages = {
  title: 'Notifications',
  open: 'Open',
  pending: 'Loading notifications',
  error: 'Notifications could not be loaded',
  empty: 'No notifications yet',
  emptyText: 'Answers to your bookings, messages and reviews come here.',
  search: 'Find a business',
  unread: 'Unread',
  markRead: 'Mark as read',
  markAllRead: 'Mark all as read',
  allMarked: 'All notifications marked as read',
  markFailed: 'Could not update notification status',
  viewAll: 'View All Notifications',
  more: 'Show more',
  moreError: 'Could not load more notifications. Please try again.',
  types: { booking: 'Booking', message: 'Message', review: 'Review', other: 'Notice' },
} as const
