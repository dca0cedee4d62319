import { translated } from '@/lib/translated'

/** Texts about the end of a session, from the requirements (AUTH-22, AUTH-23). */
export const messages = translated('session', {
  warning: 'Your session will expire soon. Please save your work.',
  stay: 'Stay signed in',
  dismiss: 'Dismiss',
  ended: 'Session expired',
  expired: 'Your session has expired. Please sign in again.',
  timedOut: 'Your session has timed out. Please sign in again.',
})

/** The message if the server refuses to refresh a session (AUTH-23, ERR-35). */
export const sessionLost = { title: messages.ended, text: messages.expired }
