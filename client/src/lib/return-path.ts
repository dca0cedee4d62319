/** Session storage keys for the page that sign-in interrupted, and for its purpose. */
const key = 'plaza.redirect'
const purposeKey = 'plaza.redirect-for'

/**
 * Reports whether a path leads to a page of this site: it starts with a single slash and contains
 * nothing that could leave the site (S-52).
 */
export function isSitePath(path: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(path)
}

/**
 * Stores the page to return to after sign-in, and its purpose as shown on the sign-in page; call it
 * before navigating to /auth.
 */
export function rememberReturn(path: string, purpose = ''): void {
  try {
    if (!isSitePath(path)) return
    sessionStorage.setItem(key, path)
    sessionStorage.setItem(purposeKey, purpose)
  } catch {
    // Storage is disabled: sign-in then ends on its own page.
  }
}

/** Returns the page to return to and removes it; null if there is none. */
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

/** Returns the page to return to without removing it; null if there is none. */
export function peekReturn(): string | null {
  const purpose = returnPurpose()
  const path = takeReturn()
  if (path !== null) rememberReturn(path, purpose)
  return path
}

/** Returns the purpose of the page to return to; empty if none was given. */
export function returnPurpose(): string {
  try {
    return sessionStorage.getItem(purposeKey) ?? ''
  } catch {
    return ''
  }
}
