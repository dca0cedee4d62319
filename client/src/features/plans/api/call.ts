import { AppError, toAppError } from '@/lib/errors'
import { loadSupabase } from '@/lib/supabase'

/** Calls a named server function; its refusals keep their code. */
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
  if (error || data === null) throw toAppError(error ?? new Error(`${name} answered nothing`))
  return data
}
