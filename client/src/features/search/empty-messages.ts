/** Words for a search that finds nothing; most find something. */
export const messages = {
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
}
