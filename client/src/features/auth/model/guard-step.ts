import { hasRole, type Role } from '@/lib/role'
import { guardMessages as messages } from '../guard-messages'

/** How far a guarded page has come with knowing who asks. */
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
  /** Unread: a session is stored and could not be looked at. */
  session: 'pending' | 'signed-out' | 'unread' | 'signed-in'
  /** Undefined while it is being asked for; null when there is none. */
  account: { role: Role } | null | undefined
  isFailed: boolean
  isCreationFailed: boolean
  required: Role
}

/** Session first, then the profile, which is made when missing, then its rank (AUTH-16, AUTH-17). */
export function guardStep(facts: Facts): GuardStep {
  const { session, account, required } = facts
  if (session === 'pending') return 'session'
  if (session === 'signed-out' || session === 'unread') return session
  if (facts.isFailed) return 'failed'
  if (account === undefined) return required === 'user' ? 'role' : 'verifying'
  if (account === null) return facts.isCreationFailed ? 'creation-failed' : 'creating'
  return hasRole(account.role, required) ? 'granted' : 'denied'
}

/** The document's words for a step (AUTH-17). */
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
