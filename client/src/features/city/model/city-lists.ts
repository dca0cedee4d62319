/** A category and its number of businesses in a city. */
export type CityCategory = { code: string; name: string; parent: string | null; businesses: number }

/** Number of recent businesses on a city page (CITY-03). */
export const recentCount = 6
/** Number of other categories on a city and category page (CITY-06). */
const otherCategoryCount = 10
/** Number of popular entries next to a category's businesses (CITY-08, C-33). */
export const popularCount = 5
/** Number of businesses per page of a city and category (CITY-09). */
export const cityPageSize = 20

/** Returns the top categories of a city, for its grid. */
export function topOf(categories: readonly CityCategory[]): CityCategory[] {
  return categories.filter((category) => category.parent === null)
}

/**
 * Returns categories other than the shown one: first its siblings, then the remaining top
 * categories.
 */
export function othersOf(categories: readonly CityCategory[], code: string): CityCategory[] {
  const here = categories.find((category) => category.code === code)
  const family = here?.parent ?? code
  const siblings = categories.filter((one) => one.parent === family && one.code !== code)
  const tops = topOf(categories).filter((one) => one.code !== code)
  return [...siblings, ...tops].slice(0, otherCategoryCount)
}
