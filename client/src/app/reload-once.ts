/** Storage key for the time of the last automatic reload. */
const reloadedKey = 'plaza.reloaded'

/** Minimum time between two automatic reloads, in milliseconds. */
const pauseMs = 60_000

/**
 * Reloads the page, because the code of an older version no longer exists. Returns false if it was
 * reloaded a moment ago, or if that cannot be stored: then reloading does not help.
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
