import type { RecentSearch } from '../model/recent'

/** Stores a search that was made. */
export function keepSearch(search: RecentSearch): void {
  void import('./recent').then(({ keepRecent }) => keepRecent(search)).catch(() => undefined)
}
