import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

/** What has to be typed before an account is deleted: the address one signs in with. */
export function confirmationWord({ email, phone }: { email: string; phone: string }): string {
  return email || phone || messages.delete
}

export function isConfirmed(typed: string, word: string): boolean {
  return typed.trim().toLowerCase() === word.toLowerCase()
}

/** Why the account stands still, where the server says so in a way we know; else null. */
export function deleteRefusal(thrown: unknown): string | null {
  const { code, status } = toAppError(thrown)
  if (code === 'last_admin') return messages.deleteRefusals.last_admin
  // Not found, or not allowed by the setting.
  return status === 404 || status === 405 ? messages.deleteRefusals.not_enabled : null
}
