import type { User } from '@supabase/supabase-js'

/** Whether somebody can sign in by email and password, as the server lists their ways. */
export function hasPassword({ app_metadata }: Pick<User, 'app_metadata'>): boolean {
  const { provider, providers } = app_metadata
  return Array.isArray(providers) ? providers.includes('email') : provider === 'email'
}
