/** Words of notifications; those in quotes in the documents stand exactly so (ERR-23). */
export const messages = {
  title: 'Notifications',
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
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
