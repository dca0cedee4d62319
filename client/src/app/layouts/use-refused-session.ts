import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { AppError, toAppError } from '@/lib/errors'
import { loadSupabase } from '@/lib/supabase'

// The data API's error codes for a refused token: PGRST301, or PGRST303 once the session ended.
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code.startsWith('PGRST30')
}

/** Refreshes the session. If the server refuses, removes it and reports it as lost. */
async function renewSession(): Promise<void> {
  const { auth } = await loadSupabase()
  const { error } = await auth.refreshSession()
  if (error === null || toAppError(error).kind === 'network') return
  // supabase-js keeps a session until its token's expiry date.
  await auth.signOut({ scope: 'local' })
}

/**
 * Ends the session in the client as soon as the server refuses it, on pages that need one (ERR-32):
 * by its expiry date alone it would remain for up to an hour.
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
