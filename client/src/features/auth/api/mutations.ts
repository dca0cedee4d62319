import { toAppError } from '@/lib/errors'
import { followSession } from '@/lib/session'
import { loadSupabase } from '@/lib/supabase'
import type { NewPassword, SignIn, SignUp } from '../model/credentials'

// The shell must hear of a session that one of these begins, so it follows first.
async function auth() {
  await followSession()
  return (await loadSupabase()).auth
}

type Answer = { error: unknown }

async function checked<A extends Answer>(answer: Promise<A>): Promise<A> {
  const done = await answer
  if (done.error) throw toAppError(done.error)
  return done
}

/** Signs in by password. Errors: invalid_credentials, also while locked; email_not_confirmed. */
export async function signInWithPassword({ email, password }: SignIn): Promise<void> {
  const client = await auth()
  await checked(client.signInWithPassword({ email, password }))
}

/**
 * Makes an account and has its confirmation mailed. `role` is written as intent
 * only; the database gives every new account the role user (S-01).
 */
export async function signUp(
  { email, password, fullName }: SignUp,
  { role, emailRedirectTo }: { role: string; emailRedirectTo: string },
): Promise<void> {
  const client = await auth()
  await checked(
    client.signUp({
      email,
      password,
      options: { emailRedirectTo, data: { full_name: fullName, role } },
    }),
  )
}

/** Confirms a new account by the code of its mail, and signs it in. */
export async function confirmByCode(email: string, token: string): Promise<void> {
  const client = await auth()
  await checked(client.verifyOtp({ email, token, type: 'signup' }))
}

/** Has the confirmation mailed once more. */
export async function resendConfirmation(email: string, emailRedirectTo: string): Promise<void> {
  const client = await auth()
  await checked(client.resend({ type: 'signup', email, options: { emailRedirectTo } }))
}

/** Has a link mailed by which a new password can be set; unknown addresses get the same answer. */
export async function requestPasswordLink(email: string, redirectTo: string): Promise<void> {
  const client = await auth()
  await checked(client.resetPasswordForEmail(email, { redirectTo }))
}

/** Gives the signed-in account a new password; its other sessions end. */
export async function setPassword({ password }: NewPassword): Promise<void> {
  const client = await auth()
  await checked(client.updateUser({ password }))
}

/** Leaves for Google, which returns to the callback (AUTH-07). */
export async function signInWithGoogle(redirectTo: string): Promise<void> {
  const client = await auth()
  await checked(client.signInWithOAuth({ provider: 'google', options: { redirectTo } }))
}
