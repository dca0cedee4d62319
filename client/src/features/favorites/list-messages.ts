/**
 * Texts of the list of favourites; separate from those of the button, which every business page
 * loads.
 */
export const listMessages = {
  undo: 'Undo',
  title: 'My Favorites',
  pending: 'Loading your favorites',
  listError: 'Your favorites could not be loaded',
  empty: 'No favorites yet',
  emptyText: 'Press the heart on a business, and you find it here again.',
  search: 'Find a business',
  viewAll: 'View All Favorites',
  details: 'View Details',
  remove: (name: string) => `Remove ${name} from favorites`,
  more: 'Show more',
  moreError: 'Could not load more favorites. Please try again.',
} as const
