import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

/** Returns the text to type before an account is deleted: the address or number used to sign in. */
export function confirmationWord({ email, phone }: { email: string; phone: string }): string {
  return email || phone || messages.delete
}

export function isConfirmed(typed: string, word: string): boolean {
  return typed.trim().toLowerCase() === word.toLowerCase()
}

/** Returns why the account was not deleted, if the reason is known; otherwise null. */
export function deleteRefusal(thrown: unknown): string | null {
  const { code, status } = toAppError(thrown)
  if (code === 'last_admin') return messages.deleteRefusals.last_admin
  // Not found, or disabled by the setting.
  return status === 404 || status === 405 ? messages.deleteRefusals.not_enabled : null
}
