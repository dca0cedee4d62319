import type { User } from '@supabase/supabase-js'

/** Reports whether a user can sign in by email and password, according to the server's list. */
export function hasPassword({ app_metadata }: Pick<User, 'app_metadata'>): boolean {
  const { provider, providers } = app_metadata
  return Array.isArray(providers) ? providers.includes('email') : provider === 'email'
}
