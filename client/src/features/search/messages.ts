import { translated } from '@/lib/translated'

// The maximum of count_businesses; one more means that there are more.
export const maxCounted = 5000

/** Texts of the search pages. */
export const messages = translated('search', {
  queryInLocation: (query: string, location: string) => `${query} in ${location}`,
  queryOnly: (query: string) => `Search results for "${query}"`,
  locationOnly: (location: string) => `Businesses in ${location}`,
  neither: 'Search Results',
  resultsFor: (query: string, category: string) =>
    category === '' ? `Results for "${query}"` : `Results for "${query}" in ${category}`,
  categoryBusinesses: (category: string) => `${category} businesses`,
  allBusinesses: 'All businesses',
  list: 'Businesses',
  showing: (shown: number, total: number, page: number, pages: number) =>
    `Showing ${shown} of ${total === maxCounted + 1 ? 'more than 5,000' : total} results (Page ${page} of ${pages})`,
  loading: 'Loading businesses',

  formLabel: 'Search businesses',
  what: 'What',
  whatPlaceholder: 'Haircut, restaurant, vet…',
  whatWords: {
    suggestions: 'Suggestions',
    service: 'Service',
    recent: 'Recent searches, Delete removes one',
    clearRecent: 'Clear recent searches',
  },
  where: 'Where',
  wherePlaceholder: 'City or district',
  whereSuggestions: 'Places',
  placeWords: {
    lang: 'en',
    businesses: (count: number) => (count === 1 ? '1 business' : `${count} businesses`),
  },
  submit: 'Search',

  home: 'Home',
  everywhere: 'All locations',
  category: 'Category',
  allCategories: 'All Categories',
  allOf: (name: string) => `All ${name}`,

  filters: 'Filters',
  filtersSet: (count: number) => `${count} set`,
  quickFilters: 'Quick filters',
  openNow: 'Open now',
  sort: 'Sort by',
  sorts: {
    '': 'Best match',
    distance: 'Nearest',
    price: 'Lowest price',
    rating: 'Highest rated',
    newest: 'Newest',
  },

  errorTitle: 'Error loading businesses',
  errorText: 'Please try refreshing the page',
  errorToast: 'Error',
  errorToastText: 'Failed to load businesses. Please try again.',

  related: (name: string) => `More like ${name}`,

  advancedTitle: 'Advanced search',
  advancedLink: 'Advanced search',
})
