import { translated } from '@/lib/translated'

/** Texts for pages and categories that do not exist. */
export const messages = translated('missing', {
  title: 'Page not found',
  heading: 'Oops! Page not found',
  text: 'There is a tile missing here. The address may be mistyped, or the page has moved.',
  toHome: 'Return to Home',
  search: 'Search businesses',
  category: 'Category not found',
  categoryText: 'There is no category of that name. Search for the words, or choose one of these.',
  searchFor: (words: string) => `Search for “${words}”`,
})
