import type { RecentSearch } from './recent'

/** Session storage key of the search that somebody wants to hear of, while they sign in. */
const key = 'plaza.wanted-alert'

const textOf = ({ findDesc, findLoc, category }: RecentSearch) =>
  JSON.stringify([findDesc, findLoc, category])

/** Keeps what is wanted over the way to sign-in and back. */
export function wantAlert(search: RecentSearch): void {
  try {
    sessionStorage.setItem(key, textOf(search))
  } catch {
    // Switched off: then it is asked for again after sign-in.
  }
}

/** Whether this search was wanted before signing in; it is told once. */
export function takeWantedAlert(search: RecentSearch): boolean {
  try {
    const isWanted = sessionStorage.getItem(key) === textOf(search)
    if (isWanted) sessionStorage.removeItem(key)
    return isWanted
  } catch {
    return false
  }
}
