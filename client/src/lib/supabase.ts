import { PostgrestClient } from '@supabase/postgrest-js'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@/types/database.gen'
import { env } from './env'
import { takeFirstResponse } from './first-responses'
import { request } from './request'
import { sessionKey } from './session-key'
import { isStored } from './storage'

let client: Promise<SupabaseClient<Database>> | undefined

const loadWhole = () => import('./whole-client')

/**
 * Preloads the client's code, so that a form that needs it does not fail because the file cannot be
 * loaded.
 */
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
      // The next caller retries.
      client = undefined
      throw error
    },
  )
  return client
}

/** Returns the session's access token, refreshed if necessary; null for a visitor. */
async function accessToken(): Promise<string | null> {
  if (!client && !isStored(sessionKey)) return null
  return (await loadWhole()).accessToken()
}

/**
 * Returns the headers that authenticate a request: the API key and the session's token, if there is
 * one.
 */
export async function requestHeaders(): Promise<{ apikey: string; Authorization: string }> {
  return {
    apikey: env.anonKey,
    Authorization: `Bearer ${(await accessToken()) ?? env.anonKey}`,
  }
}

/** Sends an authenticated request. Errors: as `request`. */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(await requestHeaders())) headers.set(name, value)
  return request(input, { ...init, headers })
}

/**
 * Like authorizedFetch, but uses a response included in the page if there is one; requests of a
 * session are always sent.
 */
async function firstFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isVisitor = !client && !isStored(sessionKey)
  const brought = isVisitor ? takeFirstResponse(String(input), init) : null
  return brought ?? authorizedFetch(input, init)
}

/**
 * The data API: `db.from('bookings').select(…)`, `db.rpc('search_businesses', …)`. It is the same
 * client as in supabase-js, with the same session.
 */
export const db = new PostgrestClient<Database>(`${env.supabaseUrl}/rest/v1`, {
  fetch: firstFetch,
  // TanStack Query retries reads; with both, a failure would be reported only after 24 seconds.
  retry: false,
})
