import { createClient } from '@supabase/supabase-js'
import type { Database } from '@/types/database.gen'
import { env } from './env'
import { toAppError, unanswered } from './errors'
import { request } from './request'
import { sessionKey } from './session-key'

/** For how long a failing session refresh is kept pending, in milliseconds. */
const renewableMs = 30_000

// Callers that wait for the session while it is being refreshed.
const waiting = new Set<(error: unknown) => void>()
// Retries the refresh if the last one failed.
let renewAgain: (() => void) | undefined

function isUnreachable(status: number): boolean {
  return status >= 502 && status <= 504
}

/**
 * Refreshes the session. supabase-js would retry for half a minute, with pauses of up to 13
 * seconds, and then refuse for another minute: meanwhile every request would wait. Here the waiting
 * callers fail at once, and the next caller triggers a retry.
 */
async function renew(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const until = Date.now() + renewableMs
  for (;;) {
    try {
      const answer = await request(input, init)
      if (!isUnreachable(answer.status)) return answer
      throw unanswered('network')
    } catch (error) {
      for (const refuse of waiting) refuse(error)
      if (Date.now() >= until) throw error
      await new Promise<void>((resolve) => {
        renewAgain = resolve
        setTimeout(resolve, until - Date.now())
      })
    }
  }
}

/** The complete supabase-js client; its requests have the same timeout as ours. */
export const supabase = createClient<Database>(env.supabaseUrl, env.anonKey, {
  auth: {
    flowType: 'pkce',
    storageKey: sessionKey,
    // /auth/callback exchanges the code itself, so that it can report the result.
    detectSessionInUrl: false,
    experimental: { recoveryCodes: true },
  },
  // A worker sends the heartbeats: timers of a page in the background are slower than the server
  // waits. Tests have none.
  realtime: { worker: 'Worker' in globalThis },
  global: {
    fetch: (input, init) =>
      String(input).includes('grant_type=refresh_token')
        ? renew(input, init)
        : request(input, init),
  },
})

/**
 * Returns the session's access token, refreshed if necessary; null for a visitor. Errors: offline,
 * timeout, network.
 */
export async function accessToken(): Promise<string | null> {
  renewAgain?.()
  // supabase-js remembers a failed refresh for a minute.
  Reflect.set(supabase.auth, 'lastRefreshFailure', null)
  let refuse: ((error: unknown) => void) | undefined
  const refused = new Promise<never>((_, reject) => {
    refuse = reject
    waiting.add(reject)
  })
  try {
    const { data, error } = await Promise.race([supabase.auth.getSession(), refused])
    if (error && toAppError(error).kind === 'network') throw toAppError(error)
    return data.session?.access_token ?? null
  } finally {
    if (refuse) waiting.delete(refuse)
  }
}
