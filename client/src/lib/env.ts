/** What the page was given: where the server is and the key that opens its public part. */
export type Env = {
  supabaseUrl: string
  anonKey: string
  currency: string
  /** The address of a map style with streets; null: the map shows borders and towns alone. */
  mapStyle: string | null
}

type Sources = {
  origin: string
  /** What the page's head has under a name. */
  meta: (name: string) => string | null
  overrides: Record<string, unknown>
}

/**
 * Reads the environment from the page and the build.
 *
 * The server writes the anon key, the currency and the map style into the page; `VITE_SUPABASE_URL`,
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
    currency: text('VITE_CURRENCY') ?? meta('currency') ?? 'USD',
    mapStyle: text('VITE_MAP_STYLE') ?? meta('map-style'),
  }
}

/** What the page's head has under a name. */
export const readMeta = (name: string) =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null

export const env = parseEnv({
  origin: window.location.origin,
  meta: readMeta,
  overrides: import.meta.env,
})
