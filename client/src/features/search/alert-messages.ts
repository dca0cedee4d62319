import { translated } from '@/lib/translated'

/** Texts of search alerts. */
export const alertMessages = translated('searchAlerts', {
  title: 'Tell me when there is one',
  text: 'We write to you once, when the first one is there.',
  on: 'We tell you when there is one',
  tell: 'Tell me',
  signIn: 'Sign in and tell me',
  stop: 'Do not tell me',
  failed: 'Not saved',
  failedText: 'Please try again.',
  tooMany: 'You wait for 20 searches already. Take one back first.',
})
