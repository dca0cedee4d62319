import { AppError, toAppError } from '@/lib/errors'
import { type Language, language } from '@/lib/language'
import { request } from '@/lib/request'
import { followSession, sessionStateOf } from '@/lib/session'
import { loadSupabase } from '@/lib/supabase'
import type { ChangePassword, NewPassword, SignIn, SignUp } from '../model/credentials'

// The shell must be notified of sessions that these functions start, so it follows the session
// first.
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

/**
 * Signs in by password. Returns whether sign-in is complete; if not, a second-factor code must
 * follow (S-24). Errors: invalid_credentials, also while locked; email_not_confirmed.
 */
export async function signInWithPassword({ email, password }: SignIn): Promise<boolean> {
  const client = await auth()
  const { data } = await checked(client.signInWithPassword({ email, password }))
  return data.session !== null && sessionStateOf(data.session).status === 'signed-in'
}

/**
 * Creates an account and sends its confirmation mail. `role` is stored as an intent only; the
 * database gives every new account the role user (S-01).
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
      options: { emailRedirectTo, data: { full_name: fullName, role, language } },
    }),
  )
}

/** Confirms a new account with the code from its mail, and signs it in. */
export async function confirmByCode(email: string, token: string): Promise<void> {
  const client = await auth()
  await checked(client.verifyOtp({ email, token, type: 'signup' }))
}

/** Signs in with a one-time token that the server handed out instead of mailing it. */
export async function signInByToken(tokenHash: string): Promise<void> {
  const client = await auth()
  await checked(client.verifyOtp({ token_hash: tokenHash, type: 'magiclink' }))
}

/** Sends the confirmation mail again. */
export async function resendConfirmation(email: string, emailRedirectTo: string): Promise<void> {
  const client = await auth()
  await checked(client.resend({ type: 'signup', email, options: { emailRedirectTo } }))
}

/** Sends a link for setting a new password; the response is the same for unknown addresses. */
export async function requestPasswordLink(email: string, redirectTo: string): Promise<void> {
  const client = await auth()
  await checked(client.resetPasswordForEmail(email, { redirectTo }))
}

/** Sets the password of the signed-in account; its other sessions end. */
export async function setPassword({ password }: NewPassword): Promise<void> {
  const client = await auth()
  await checked(client.updateUser({ password }))
}

/**
 * Changes the password of the signed-in account; its other sessions end. Errors:
 * current_password_invalid, same_password, weak_password.
 */
export async function changePassword({ current, password }: ChangePassword): Promise<void> {
  const client = await auth()
  await checked(client.updateUser({ password, current_password: current }))
}

/** Stores the language of a user's mails, in the account's metadata. */
export async function setMailLanguage(chosen: Language): Promise<void> {
  const client = await auth()
  await checked(client.updateUser({ data: { language: chosen } }))
}

/** Sends a code to a phone; an unknown number gets an account (AUTH-03). */
export async function requestPhoneCode(phone: string): Promise<void> {
  const client = await auth()
  await checked(client.signInWithOtp({ phone, options: { data: { language } } }))
}

/** Signs in with the code sent to a phone. Errors: otp_expired. */
export async function signInByPhoneCode(phone: string, token: string): Promise<void> {
  const client = await auth()
  await checked(client.verifyOtp({ phone, token, type: 'sms' }))
}

/**
 * Signs in with a passkey of this device. Returns whether sign-in is complete, like
 * signInWithPassword.
 */
export async function signInWithPasskey(): Promise<boolean> {
  const client = await auth()
  const { data } = await checked(client.signInWithPasskey())
  return data?.session != null && sessionStateOf(data.session).status === 'signed-in'
}

/**
 * Redirects to Google, which returns to the callback (AUTH-07). It asks the server first, since the
 * browser would show the server's refusal as a bare page.
 */
export async function signInWithGoogle(redirectTo: string): Promise<void> {
  const client = await auth()
  const { data } = await checked(
    client.signInWithOAuth({
      provider: 'google',
      options: { redirectTo, skipBrowserRedirect: true },
    }),
  )
  const address = data.url ?? ''
  const answer = await request(address, { redirect: 'manual' })
  if (answer.type !== 'opaqueredirect') {
    throw new AppError('provider_refused', 'no redirect to the provider', {
      status: answer.status,
    })
  }
  window.location.assign(address)
}
