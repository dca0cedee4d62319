import { translated } from '@/lib/translated'

export const messages = translated('favorites', {
  favorite: 'Favorite',
  signIn: 'Authentication required',
  signInText: 'Please log in to save favorites',
  added: 'Added to favorites',
  addedText: (name: string) => `${name} is now among your favorites.`,
  removed: 'Removed from favorites',
  removedText: (name: string) => `${name} is no longer among your favorites.`,
  error: 'Error',
  couldNotAdd: 'Could not add to favorites',
  tooMany: 'Your favorites are full. Remove one that you no longer need.',
  couldNotRemove: 'Could not remove from favorites',
})
