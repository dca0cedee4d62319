import { hasRole, type Role } from '@/lib/role'
import { guardMessages as messages } from '../guard-messages'

/** The progress of a guarded page in loading the session and the account. */
export type GuardStep =
  | 'session'
  | 'role'
  | 'creating'
  | 'verifying'
  | 'granted'
  | 'signed-out'
  | 'unread'
  | 'denied'
  | 'failed'
  | 'creation-failed'

type Facts = {
  /** 'unread': a session is stored but could not be read. */
  session: 'pending' | 'signed-out' | 'unread' | 'signed-in'
  /** Undefined while it is loading; null if there is none. */
  account: { role: Role } | null | undefined
  isFailed: boolean
  isCreationFailed: boolean
  required: Role
}

/**
 * First the session, then the profile, which is created if missing, then its role (AUTH-16,
 * AUTH-17).
 */
export function guardStep(facts: Facts): GuardStep {
  const { session, account, required } = facts
  if (session === 'pending') return 'session'
  if (session === 'signed-out' || session === 'unread') return session
  if (facts.isFailed) return 'failed'
  if (account === undefined) return required === 'user' ? 'role' : 'verifying'
  if (account === null) return facts.isCreationFailed ? 'creation-failed' : 'creating'
  return hasRole(account.role, required) ? 'granted' : 'denied'
}

/** Returns the requirements' text for a step (AUTH-17). */
export function stepText(step: GuardStep, required: Role): string {
  switch (step) {
    case 'role':
      return messages.checkingRole
    case 'creating':
      return messages.creatingProfile
    case 'verifying':
      return messages.verifying(required)
    case 'granted':
      return messages.granted
    default:
      return messages.checkingSession
  }
}
