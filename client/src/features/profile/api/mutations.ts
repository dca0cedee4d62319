import { authRequest } from '@/lib/auth-request'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Profile } from './queries'

/** Stores one's own name (PROFILE-03). Error 42501: nobody is signed in any more. */
export async function saveProfile(userId: string, { fullName }: Profile): Promise<void> {
  unwrap(
    await db
      .from('profiles')
      .upsert({ id: userId, full_name: fullName, updated_at: new Date().toISOString() }),
  )
}

/** Deletes the account of whoever is signed in, for good (PROFILE-08). */
export async function deleteAccount(): Promise<void> {
  await authRequest('DELETE', 'user')
}

/** All that the auth server holds about the account, as readable JSON. */
export async function exportAccount(): Promise<string> {
  return JSON.stringify(await authRequest('GET', 'user/export'), null, 2)
}
