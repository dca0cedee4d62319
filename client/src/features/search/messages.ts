/** Words of the search pages. */
export const messages = {
  queryInLocation: (query: string, location: string) => `${query} in ${location}`,
  queryOnly: (query: string) => `Search results for "${query}"`,
  locationOnly: (location: string) => `Businesses in ${location}`,
  neither: 'Search Results',
  resultsFor: (query: string, category: string) =>
    category === '' ? `Results for "${query}"` : `Results for "${query}" in ${category}`,
  categoryBusinesses: (category: string) => `${category} businesses`,
  allBusinesses: 'All businesses',
  showing: (shown: number, total: number, page: number, pages: number) =>
    `Showing ${shown} of ${total} results (Page ${page} of ${pages})`,
  loading: 'Loading businesses',

  formLabel: 'Search businesses',
  what: 'What',
  whatPlaceholder: 'Haircut, restaurant, vet…',
  whatSuggestions: 'Categories',
  inCategory: 'Category',
  where: 'Where',
  wherePlaceholder: 'City or district',
  whereSuggestions: 'Cities',
  submit: 'Search',

  home: 'Home',
  everywhere: 'All locations',
  category: 'Category',
  allCategories: 'All Categories',
  allOf: (name: string) => `All ${name}`,

  filters: 'Filters',
  filtersSet: (count: number) => `${count} set`,
  quickFilters: 'Quick filters',
  rating: 'Rating',
  anyRating: 'Any rating',
  ratingAtLeast: (step: number) => `${step.toFixed(1)} and more`,
  amenities: 'Amenities',
  clearAll: 'Clear all',
  show: 'Show results',

  errorTitle: 'Error loading businesses',
  errorText: 'Please try refreshing the page',
  errorToast: 'Error',
  errorToastText: 'Failed to load businesses. Please try again.',

  noBusinesses: 'No Businesses Yet',
  noBusinessesText: 'Be the first: adding a business is free and takes five minutes.',
  addYourBusiness: 'Add Your Business',
  noResults: 'No Results Found',
  noResultsText: 'Nothing matches all of this. Four ways on:',
  clearFilters: 'Clear filters',
  clearFiltersText: 'See everything there is and start again.',
  otherLocation: 'Try a different location',
  addBusiness: 'Add a business',
  addBusinessText: 'You know the place that is missing? Put it on Plaza.',
  suggestions: 'Suggestions',
  suggestionsText: 'Categories close to what you typed, or often asked for.',

  related: (name: string) => `More like ${name}`,

  advancedTitle: 'Advanced search',
  advancedText: 'All filters at once. Fill in what matters, leave the rest open.',
  advancedLink: 'Advanced search',
}
