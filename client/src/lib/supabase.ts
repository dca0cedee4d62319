import { PostgrestClient } from '@supabase/postgrest-js'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@/types/database.gen'
import { env } from './env'
import { takeFirstAnswer } from './first-answers'
import { request } from './request'
import { sessionKey } from './session-key'
import { isStored } from './storage'

let client: Promise<SupabaseClient<Database>> | undefined

const loadWhole = () => import('./whole-client')

/** Loads its code ahead: who fills a form that needs it can then be told of what else may fail. */
export function preloadSupabase(): void {
  loadWhole().catch(() => undefined)
}

/**
 * The whole supabase-js client: auth, storage, functions, realtime. It weighs
 * 55 KB, so it is loaded by the first caller that needs it; a visitor who only
 * reads never does. Table reads and writes go through `db`.
 */
export function loadSupabase(): Promise<SupabaseClient<Database>> {
  client ??= loadWhole().then(
    ({ supabase }) => supabase,
    (error: unknown) => {
      // The next caller tries again.
      client = undefined
      throw error
    },
  )
  return client
}

/** The caller's access token, renewed if need be; null for a visitor. */
async function accessToken(): Promise<string | null> {
  if (!client && !isStored(sessionKey)) return null
  return (await loadWhole()).accessToken()
}

/** What signs a request: the key and, when there is one, the session. */
export async function requestHeaders(): Promise<{ apikey: string; Authorization: string }> {
  return {
    apikey: env.anonKey,
    Authorization: `Bearer ${(await accessToken()) ?? env.anonKey}`,
  }
}

/** A request that is signed. Errors: as `request`. */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(await requestHeaders())) headers.set(name, value)
  return request(input, { ...init, headers })
}

/** The same for what the page may have brought along; what belongs to a session is asked for. */
async function firstFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isVisitor = !client && !isStored(sessionKey)
  const brought = isVisitor ? takeFirstAnswer(String(input), init) : null
  return brought ?? authorizedFetch(input, init)
}

/**
 * The data API: `db.from('bookings').select(…)`, `db.rpc('search_businesses', …)`.
 * It is the very client that supabase-js hands out, with the same session.
 */
export const db = new PostgrestClient<Database>(`${env.supabaseUrl}/rest/v1`, {
  fetch: firstFetch,
  // TanStack Query retries reads; both together take 24 seconds to say that something failed.
  retry: false,
})
