import { createClient } from '@supabase/supabase-js'
import type { Database } from '@/types/database.gen'
import { env } from './env'
import { toAppError, unanswered } from './errors'
import { request } from './request'
import { sessionKey } from './session-key'

/** For how long a renewal of the session that fails is kept open, in milliseconds. */
const renewableMs = 30_000

// Whoever waits for the session while it is being renewed.
const waiting = new Set<(error: unknown) => void>()
// Tries again, where the last renewal failed.
let renewAgain: (() => void) | undefined

function isUnreachable(status: number): boolean {
  return status >= 502 && status <= 504
}

/**
 * Renews the session. supabase-js would try for half a minute, in pauses of up to 13 seconds, and
 * then refuse for another: meanwhile every request would wait. Here those who wait are told at once,
 * and whoever asks next has it tried again.
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

/** The whole supabase-js client; its requests have the same deadline as ours. */
export const supabase = createClient<Database>(env.supabaseUrl, env.anonKey, {
  auth: {
    flowType: 'pkce',
    storageKey: sessionKey,
    // /auth/callback exchanges the code itself, so that it can say what happened.
    detectSessionInUrl: false,
    experimental: { recoveryCodes: true },
  },
  global: {
    fetch: (input, init) =>
      String(input).includes('grant_type=refresh_token')
        ? renew(input, init)
        : request(input, init),
  },
})

/** The session's access token, renewed if need be; null for a visitor. Errors: offline, timeout, network. */
export async function accessToken(): Promise<string | null> {
  renewAgain?.()
  // It remembers for a minute that a renewal failed.
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
