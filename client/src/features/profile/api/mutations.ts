import { authRequest } from '@/lib/auth-request'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Profile } from './queries'

/** Stores the user's name (PROFILE-03). Error 42501: the session has ended. */
export async function saveProfile(userId: string, { fullName }: Profile): Promise<void> {
  unwrap(
    await db
      .from('profiles')
      .upsert({ id: userId, full_name: fullName, updated_at: new Date().toISOString() }),
  )
}

/** Deletes the signed-in user's account permanently (PROFILE-08). */
export async function deleteAccount(): Promise<void> {
  await authRequest('DELETE', 'user')
}

/** Returns all the auth server's data about the account, as readable JSON. */
export async function exportAccount(): Promise<string> {
  return JSON.stringify(await authRequest('GET', 'user/export'), null, 2)
}
