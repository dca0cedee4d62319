/** By what a business is looked up. A slug that is not found is looked for among the old ones. */
export type BusinessKey = { by: 'id' | 'display_id' | 'url_path' | 'slug'; value: string }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const displayId = /^B-\d{6,}$/

/** The key that a text is: an id, a url_path, a number as people see it, else a slug (BIZ-01, C-27). */
export function keyFrom(text: string): BusinessKey {
  if (uuid.test(text)) return { by: 'id', value: text.toLowerCase() }
  if (text.startsWith('/')) return { by: 'url_path', value: text }
  if (displayId.test(text)) return { by: 'display_id', value: text }
  return { by: 'slug', value: text }
}

/**
 * Where a business page moves on to: its url_path, once it was migrated. Addresses under
 * /business/ and /biz/ stay (ROUTE-37, C-26).
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
