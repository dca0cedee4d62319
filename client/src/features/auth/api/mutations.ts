import { AppError, toAppError } from '@/lib/errors'
import { request } from '@/lib/request'
import { followSession, standingOf } from '@/lib/session'
import { loadSupabase } from '@/lib/supabase'
import type { ChangePassword, NewPassword, SignIn, SignUp } from '../model/credentials'

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

/**
 * Signs in by password. Answers whether that was all: else a code is to follow (S-24).
 * Errors: invalid_credentials, also while locked; email_not_confirmed.
 */
export async function signInWithPassword({ email, password }: SignIn): Promise<boolean> {
  const client = await auth()
  const { data } = await checked(client.signInWithPassword({ email, password }))
  return data.session !== null && standingOf(data.session).status === 'signed-in'
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

/**
 * Changes the password of the signed-in account; its other sessions end.
 * Errors: current_password_invalid, same_password, weak_password.
 */
export async function changePassword({ current, password }: ChangePassword): Promise<void> {
  const client = await auth()
  await checked(client.updateUser({ password, current_password: current }))
}

/** Has a code sent to a phone; an unknown number gets an account (AUTH-03). */
export async function requestPhoneCode(phone: string): Promise<void> {
  const client = await auth()
  await checked(client.signInWithOtp({ phone }))
}

/** Signs in by the code sent to a phone. Errors: otp_expired. */
export async function signInByPhoneCode(phone: string, token: string): Promise<void> {
  const client = await auth()
  await checked(client.verifyOtp({ phone, token, type: 'sms' }))
}

/** Signs in by a passkey of this device. Answers whether that was all, as the password does. */
export async function signInWithPasskey(): Promise<boolean> {
  const client = await auth()
  const { data } = await checked(client.signInWithPasskey())
  return data?.session != null && standingOf(data.session).status === 'signed-in'
}

/**
 * Leaves for Google, which returns to the callback (AUTH-07). The server is asked first: what it
 * refuses would stand there as a page of its own.
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
