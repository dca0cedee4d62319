import { env } from './env'
import { AppError, toAppError } from './errors'
import { authorizedFetch } from './supabase'

/**
 * Calls a function of the auth API for which supabase-js has no method, with the session's token.
 * Returns the body, or null if it is empty. Errors: AppError with the server's code.
 */
export async function authRequest(method: 'GET' | 'DELETE', path: string): Promise<unknown> {
  const url = `${env.supabaseUrl}/auth/v1/${path}`
  const answer = await authorizedFetch(url, { method })
  const content: unknown = await answer.json().catch(() => null)
  if (answer.ok) return content
  throw content === null
    ? new AppError('unknown', `${method} ${path}`, { status: answer.status })
    : toAppError(content, answer.status)
}
