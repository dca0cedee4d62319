import { toAppError, unwrap } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'

/** Ends one of the user's sessions; its device is signed out (SEC-17). */
export async function terminateSession(id: string): Promise<void> {
  unwrap(await db.rpc('terminate_session', { p_session_id: id }))
}

/** Ends all of the user's sessions except this one. */
export async function terminateOthers(): Promise<void> {
  const { auth } = await loadSupabase()
  const { error } = await auth.signOut({ scope: 'others' })
  if (error) throw toAppError(error)
}
