import type { RecentSearch } from '../model/recent'

/** Stores a search that was made. */
export function storeSearch(search: RecentSearch): void {
  void import('./recent').then(({ storeRecent }) => storeRecent(search)).catch(() => undefined)
}
