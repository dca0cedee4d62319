export type Category = {
  name: string
  code: string
  /** Code of the parent; null for a top category. */
  parent: string | null
}

/** The fixed list of top categories, label and slug (NAV-09). */
export const topCategories = [
  { name: 'Active Life', code: 'active' },
  { name: 'Arts & Entertainment', code: 'arts' },
  { name: 'Automotive', code: 'auto' },
  { name: 'Beauty & Spas', code: 'beautysvc' },
  { name: 'Education', code: 'education' },
  { name: 'Event Planning & Services', code: 'eventservices' },
  { name: 'Financial Services', code: 'financialservices' },
  { name: 'Food', code: 'food' },
  { name: 'Health & Medical', code: 'health' },
  { name: 'Home Services', code: 'homeservices' },
  { name: 'Hotels & Travel', code: 'hotelstravel' },
  { name: 'Local Services', code: 'localservices' },
  { name: 'Mass Media', code: 'massmedia' },
  { name: 'Nightlife', code: 'nightlife' },
  { name: 'Pets', code: 'pets' },
  { name: 'Professional Services', code: 'professional' },
  { name: 'Public Services & Government', code: 'publicservices' },
  { name: 'Real Estate', code: 'realestate' },
  { name: 'Religious Organizations', code: 'religiousorgs' },
  { name: 'Restaurants', code: 'restaurants' },
  { name: 'Shopping', code: 'shopping' },
] as const

/** The categories on home, the most popular first. */
const popularCodes = [
  'beautysvc',
  'restaurants',
  'health',
  'auto',
  'homeservices',
  'hotelstravel',
  'active',
  'pets',
  'nightlife',
  'shopping',
]

/** Number of entries in home's mosaic and its skeleton (HOME-06, CONST-17). */
export const popularCount = popularCodes.length

/** Returns home's categories: the active popular ones, supplemented by others up to ten. */
export function popularCategories(all: readonly Category[]): Category[] {
  const top = all.filter((category) => category.parent === null)
  const rank = (category: Category) => {
    const at = popularCodes.indexOf(category.code)
    return at === -1 ? popularCodes.length : at
  }
  return [...top].sort((a, b) => rank(a) - rank(b)).slice(0, popularCount)
}

/** Returns the code of a category's top category; its own code if it is unknown. */
export function topCodeOf(code: string, all: readonly Category[]): string {
  const category = all.find((one) => one.code === code)
  return category?.parent ?? code
}
