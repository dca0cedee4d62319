import { oneDecimal } from '@/lib/formats'
import { translated } from '@/lib/translated'
import type { Terms } from './model/terms'

/** Formats a distance: '1.5', '12'. */
const kilometres = (km: number) => (km < 10 ? oneDecimal(km) : String(Math.round(km)))

/** Describes a search without a filter. */
const without: Record<string, (terms: Terms) => string> = {
  category: () => 'All categories',
  rating: () => 'Any rating',
  amenities: ({ amenities }) => `Without ${amenities.join(', ')}`,
  open_now: () => 'Closed ones, too',
  free_on: () => 'Any day',
  price: () => 'Any price',
  distance: ({ bounds }) => (bounds === '' ? 'Any distance' : 'The whole map'),
  text: ({ findDesc }) => `Without “${findDesc}”`,
  place: () => 'All locations',
}

/** Texts for a search without results; most have some. */
export const messages = translated('searchEmpty', {
  noBusinesses: 'No Businesses Yet',
  noBusinessesText: 'Be the first: adding a business is free and takes five minutes.',
  addYourBusiness: 'Add Your Business',
  noResults: 'No Results Found',
  noResultsText: 'Nothing matches all of this. Ways on:',
  clearFilters: 'Clear filters',
  clearFiltersText: 'What to leave out, and how many there are then.',
  clearAll: 'Clear all',
  without: (target: string, terms: Terms) => without[target]?.(terms) ?? target,
  businesses: (count: number) => {
    if (count > 5000) return 'more than 5,000'
    return count === 1 ? '1 business' : `${count.toLocaleString('en')} businesses`
  },
  away: (km: number) => `${kilometres(km)} km away`,
  otherLocation: 'Try a different location',
  addBusiness: 'Add a business',
  addBusinessText: 'You know the place that is missing? Put it on Plaza.',
  suggestions: 'Suggestions',
  suggestionsText: 'Categories close to what you typed, or often asked for.',
})
