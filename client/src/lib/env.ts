/** The page's configuration: where the server is, and the public API key. */
export type Env = {
  supabaseUrl: string
  anonKey: string
  currency: string
  /** The address of this site, as the server is configured. */
  siteUrl: string
  /** The URL of a map style with streets; null: the map shows only borders and towns. */
  mapStyle: string | null
}

type Sources = {
  origin: string
  /** Returns the content of the page's meta element with this name. */
  meta: (name: string) => string | null
  overrides: Record<string, unknown>
}

/**
 * Reads the environment from the page and the build.
 *
 * The server writes the anon key, the currency, its address and the map style into the page; `VITE_SUPABASE_URL`,
 * `VITE_SUPABASE_ANON_KEY` and the like override it during development.
 */
export function parseEnv({ origin, meta, overrides }: Sources): Env {
  const text = (name: string) => {
    const value = overrides[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const anonKey = text('VITE_SUPABASE_ANON_KEY') ?? meta('supabase-anon-key') ?? ''
  return {
    supabaseUrl: new URL(text('VITE_SUPABASE_URL') ?? origin).origin,
    anonKey,
    siteUrl: text('VITE_SITE_URL') ?? meta('site-url') ?? origin,
    currency: text('VITE_CURRENCY') ?? meta('currency') ?? 'USD',
    mapStyle: text('VITE_MAP_STYLE') ?? meta('map-style'),
  }
}

/** Returns the content of the page's meta element with this name. */
export const readMeta = (name: string) =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null

export const env = parseEnv({
  origin: window.location.origin,
  meta: readMeta,
  overrides: import.meta.env,
})
