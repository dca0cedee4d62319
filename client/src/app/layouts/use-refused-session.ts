import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { AppError, toAppError } from '@/lib/errors'
import { loadSupabase } from '@/lib/supabase'

// How the data API answers a token that it does not take: PGRST301, or PGRST303 once the session ended.
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code.startsWith('PGRST30')
}

/** Renews the session; forgets it when the server will not, which counts as a loss. */
async function renewSession(): Promise<void> {
  const { auth } = await loadSupabase()
  const { error } = await auth.refreshSession()
  if (error === null || toAppError(error).kind === 'network') return
  // supabase-js keeps a session whose token is still good by its dates.
  await auth.signOut({ scope: 'local' })
}

/**
 * Ends a session on the screen as soon as the server refuses it, on pages that need one (ERR-32):
 * by its dates alone, it would go on for up to an hour.
 */
export function useRefusedSession(): void {
  const client = useQueryClient()
  useEffect(() => {
    const ends = [client.getQueryCache(), client.getMutationCache()].map((cache) =>
      cache.subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        if (isRefusal(event.action.error)) void renewSession().catch(() => undefined)
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [client])
}
