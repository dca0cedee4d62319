/** The places that the picker lists before anything is typed (LOC-03), in this order. */
export const popularCityNames = [
  'Madrid',
  'Barcelona',
  'Valencia',
  'Seville',
  'Bilbao',
  'Malaga',
  'Andorra',
] as const
