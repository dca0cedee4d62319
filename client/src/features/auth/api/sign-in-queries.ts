import { queryOptions } from '@tanstack/react-query'
import { env } from '@/lib/env'
import { AppError, toAppError } from '@/lib/errors'
import { request } from '@/lib/request'
import { followSession, sessionStateOf } from '@/lib/session'
import { loadSupabase } from '@/lib/supabase'
import { readProviders } from '../model/providers'
import { authKeys } from './keys'

/** The sign-in methods that the server offers besides the password; requested once. */
export const providersQuery = queryOptions({
  queryKey: authKeys.settings,
  queryFn: async ({ signal }) => {
    const answer = await request(`${env.supabaseUrl}/auth/v1/settings`, {
      headers: { apikey: env.anonKey },
      signal,
    })
    if (!answer.ok) throw new AppError('unknown', 'settings', { status: answer.status })
    return readProviders(await answer.json())
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Exchanges the code of a link for a session, only once however often the query runs (AUTH-13).
 * Returns whether sign-in is complete, or a second factor must follow (S-24).
 */
export const exchangeQuery = (code: string) =>
  queryOptions({
    queryKey: authKeys.exchange(code),
    queryFn: async () => {
      await followSession()
      const { auth } = await loadSupabase()
      const { data, error } = await auth.exchangeCodeForSession(code)
      if (error) throw toAppError(error)
      return { isWhole: sessionStateOf(data.session).status === 'signed-in' }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
