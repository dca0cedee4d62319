/** A search that was made. */
export type RecentSearch = { findDesc: string; findLoc: string; category: string }

/** A search with its time, in milliseconds since the epoch. */
export type DatedSearch = RecentSearch & { at: number }

/** How many are stored. */
export const maxRecent = 10

const isText = (value: unknown) => typeof value === 'string' && value.length <= 100

function isDated(value: unknown): value is DatedSearch {
  return (
    typeof value === 'object' &&
    value !== null &&
    'findDesc' in value &&
    'findLoc' in value &&
    'category' in value &&
    'at' in value &&
    [value.findDesc, value.findLoc, value.category].every(isText) &&
    typeof value.at === 'number'
  )
}

/** Parses the stored searches; invalid ones are dropped. */
export function parseRecent(value: unknown): DatedSearch[] {
  return Array.isArray(value) ? newest(value.filter(isDated)) : []
}

export function isSame(one: RecentSearch, other: RecentSearch): boolean {
  return (
    one.findDesc.toLowerCase() === other.findDesc.toLowerCase() &&
    one.findLoc.toLowerCase() === other.findLoc.toLowerCase() &&
    one.category === other.category
  )
}

/** Returns the most recent searches without duplicates, the newest first. */
export function newest(searches: readonly DatedSearch[]): DatedSearch[] {
  return searches
    .toSorted((a, b) => b.at - a.at)
    .filter((one, index, all) => all.findIndex((other) => isSame(one, other)) === index)
    .slice(0, maxRecent)
}
