/** A category and how many businesses it has in a city. */
export type CityCategory = { code: string; name: string; parent: string | null; businesses: number }

/** How many recent businesses a city page shows (CITY-03). */
export const recentCount = 6
/** How many other categories a city and category page lists (CITY-06). */
const otherCategoryCount = 10
/** How many popular entries stand beside a category's businesses (CITY-08, C-33). */
export const popularCount = 5
/** How many businesses a page of a city and category holds (CITY-09). */
export const cityPageSize = 20

/** The top categories of a city: its grid. */
export function topOf(categories: readonly CityCategory[]): CityCategory[] {
  return categories.filter((category) => category.parent === null)
}

/** Other categories than the one on show: its siblings first, then the rest of the top ones. */
export function othersOf(categories: readonly CityCategory[], code: string): CityCategory[] {
  const here = categories.find((category) => category.code === code)
  const family = here?.parent ?? code
  const siblings = categories.filter((one) => one.parent === family && one.code !== code)
  const tops = topOf(categories).filter((one) => one.code !== code)
  return [...siblings, ...tops].slice(0, otherCategoryCount)
}
