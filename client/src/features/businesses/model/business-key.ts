/** A key for looking up a business. If no business has a slug, former slugs are searched. */
export type BusinessKey = { by: 'id' | 'display_id' | 'url_path' | 'slug'; value: string }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const displayId = /^B-\d{6,}$/

/**
 * Determines the kind of key of a text: an id, a url_path, a display number, or else a slug
 * (BIZ-01, C-27).
 */
export function keyFrom(text: string): BusinessKey {
  if (uuid.test(text)) return { by: 'id', value: text.toLowerCase() }
  if (text.startsWith('/')) return { by: 'url_path', value: text }
  if (displayId.test(text)) return { by: 'display_id', value: text }
  return { by: 'slug', value: text }
}

/**
 * Returns the URL that a business page redirects to: its url_path, once it was migrated. URLs under
 * /business/ and /biz/ are kept (ROUTE-37, C-26).
 */
export function movedTo(
  business: { url_path: string | null; migrated_url: boolean },
  pathname: string,
): string | null {
  const { url_path: path, migrated_url: isMigrated } = business
  if (path === null || !isMigrated || path === pathname) return null
  if (pathname.startsWith('/business/') || pathname.startsWith('/biz/')) return null
  return path
}
