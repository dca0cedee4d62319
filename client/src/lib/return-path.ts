/** Session storage keys of the page that sign-in interrupted, and of what was to be done there. */
const key = 'plaza.redirect'
const purposeKey = 'plaza.redirect-for'

/** Whether a path leads to a page of this site: one slash at its start, nothing that could leave it (S-52). */
export function isSitePath(path: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(path)
}

/**
 * Keeps the page to come back to after sign-in, and what is to be done there in words that sign-in
 * shows; call it before leaving for /auth.
 */
export function rememberReturn(path: string, purpose = ''): void {
  try {
    if (!isSitePath(path)) return
    sessionStorage.setItem(key, path)
    sessionStorage.setItem(purposeKey, purpose)
  } catch {
    // Switched off: sign-in then ends on its own page.
  }
}

/** The page to come back to, once; null when there is none. */
export function takeReturn(): string | null {
  try {
    const path = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    sessionStorage.removeItem(purposeKey)
    return path !== null && isSitePath(path) ? path : null
  } catch {
    return null
  }
}

/** The page to come back to, which stays kept; null when there is none. */
export function peekReturn(): string | null {
  const purpose = returnPurpose()
  const path = takeReturn()
  if (path !== null) rememberReturn(path, purpose)
  return path
}

/** What is to be done at the page to come back to; empty when it was not said. */
export function returnPurpose(): string {
  try {
    return sessionStorage.getItem(purposeKey) ?? ''
  } catch {
    return ''
  }
}
