import { AppError, toAppError } from './errors'
import { loadSupabase } from './supabase'

/** Calls a named server function; its errors keep their code. */
export async function callFunction<T>(
  name: string,
  body: Record<string, unknown> = {},
): Promise<T> {
  const { functions } = await loadSupabase()
  const { data, error } = await functions.invoke<T>(name, { body })
  const refused: unknown = error?.context
  if (refused instanceof Response) {
    const said = await refused.json().catch(() => ({}))
    throw new AppError(said.code ?? 'function_failed', said.message ?? error.message, {
      status: refused.status,
    })
  }
  // supabase-js rewords the error of a call that never reached the server; the browser's message is
  // its cause.
  if (refused instanceof Error) throw toAppError(refused)
  if (error || data === null) throw toAppError(error ?? new Error(`${name} answered nothing`))
  return data
}
