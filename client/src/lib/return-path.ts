/** Session storage key of the page that sign-in interrupted. */
const key = 'plaza.redirect'

/** Whether a path leads to a page of this site: one slash at its start, nothing that could leave it (S-52). */
export function isSitePath(path: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(path)
}

/** Keeps the page to come back to after sign-in; call it before leaving for /auth. */
export function rememberReturn(path: string): void {
  try {
    if (isSitePath(path)) sessionStorage.setItem(key, path)
  } catch {
    // Switched off: sign-in then ends on its own page.
  }
}

/** The page to come back to, once; null when there is none. */
export function takeReturn(): string | null {
  try {
    const path = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return path !== null && isSitePath(path) ? path : null
  } catch {
    return null
  }
}

/** The page to come back to, which stays kept; null when there is none. */
export function peekReturn(): string | null {
  const path = takeReturn()
  if (path !== null) rememberReturn(path)
  return path
}
