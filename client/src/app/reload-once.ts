/** Where it is kept when the page was last loaded again by itself. */
const reloadedKey = 'plaza.reloaded'

/** So long after that it is not done once more, in milliseconds. */
const pauseMs = 60_000

/**
 * Loads the page again, for the code of an older version is not there any more. Reports false where
 * that was done a moment ago, or cannot be noted: then loading again does not help.
 */
export function reloadOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < pauseMs) return false
    sessionStorage.setItem(reloadedKey, String(Date.now()))
  } catch {
    return false
  }
  window.location.reload()
  return true
}
