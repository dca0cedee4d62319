/** Words of the filters' sheet and of the advanced search. */
export const filterMessages = {
  rating: 'Rating',
  anyRating: 'Any rating',
  ratingAtLeast: (step: number) => `${step.toFixed(1)} and more`,
  amenities: 'Amenities',
  clearAll: 'Clear all',
  show: 'Show results',
  advancedText: 'All filters at once. Fill in what matters, leave the rest open.',
}
