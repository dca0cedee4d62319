import type { RecentSearch } from './recent'

/** Session storage key of the search for which the user wants an alert, during sign-in. */
const key = 'plaza.wanted-alert'

const textOf = ({ findDesc, findLoc, category }: RecentSearch) =>
  JSON.stringify([findDesc, findLoc, category])

/** Stores the wanted alert while the user signs in. */
export function wantAlert(search: RecentSearch): void {
  try {
    sessionStorage.setItem(key, textOf(search))
  } catch {
    // Storage is disabled: the user has to ask again after sign-in.
  }
}

/**
 * Reports whether an alert for this search was requested before signing in, and removes the
 * request.
 */
export function takeWantedAlert(search: RecentSearch): boolean {
  try {
    const isWanted = sessionStorage.getItem(key) === textOf(search)
    if (isWanted) sessionStorage.removeItem(key)
    return isWanted
  } catch {
    return false
  }
}
