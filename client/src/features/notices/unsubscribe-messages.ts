import { translated } from '@/lib/translated'
import { messages as settings } from './messages'
import type { NoticeKind } from './model/kind'

const { kinds } = settings

/** Texts of the page that a mail's unsubscribe link opens. */
export const messages = translated('unsubscribe', {
  title: 'Unsubscribe',
  text: (label: string) => `You will get no more mails of the kind “${label}”.`,
  button: 'Unsubscribe',
  done: 'You are unsubscribed',
  doneText: (label: string) =>
    `We send you no more mails of the kind “${label}”. The bell still shows everything.`,
  error: 'You are not unsubscribed yet',
  badLink: 'This link is not complete',
  badLinkText: 'Please open the link in the mail once more, or choose in your settings.',
  settings: 'All email settings',
  labels: {
    booking_asked: kinds.booking_asked.label,
    booking_answered: kinds.booking_answered.label,
    booking_changed: kinds.booking_changed.label,
    booking_reminder: kinds.booking_reminder.label,
    message_unread: kinds.message_unread.label,
    review_asked: kinds.review_asked.label,
  } satisfies Record<NoticeKind, string>,
})
