import { toAppError } from '@/lib/errors'
import { endSession } from '@/lib/session'
import { loadSupabase } from '@/lib/supabase'

/** Ends the session on this device; the server revokes its refresh token. */
export async function signOut(): Promise<void> {
  const { auth } = await loadSupabase()
  const { error } = await endSession(() => auth.signOut({ scope: 'local' }))
  if (error) throw toAppError(error)
}
