import type { NoticeKind } from './model/kind'

/** Texts of mail notifications. "Coming soon" is from the requirements (PROFILE-09). */
export const messages = {
  title: 'Email',
  text: (email: string) => `Choose what we send to ${email}. The bell shows everything.`,
  noAddress: 'Your account has no email address, so we cannot send you mails.',
  soon: 'Text messages and push notifications: coming soon.',
  openNotifications: 'Open notifications',
  language: 'Language of mails',
  languageFailed: 'The language was not saved',

  pending: 'Loading your settings',
  loadError: 'Your settings could not be loaded',
  saveError: (label: string) => `Not saved: ${label}`,

  kinds: {
    booking_asked: {
      label: 'Booking requests',
      help: 'A customer asks for a time at your business.',
    },
    booking_answered: {
      label: 'Answers to bookings',
      help: 'A booking is confirmed, declined, cancelled or expired.',
    },
    booking_changed: {
      label: 'Changed times',
      help: 'Another time is proposed, accepted or refused.',
    },
    booking_reminder: {
      label: 'Reminders',
      help: 'A day before a confirmed booking.',
    },
    message_unread: {
      label: 'Unread messages',
      help: 'A message waits for you for an hour; one mail for each conversation.',
    },
    review_asked: {
      label: 'Review invitations',
      help: 'After a visit, how it was.',
    },
  } satisfies Record<NoticeKind, { label: string; help: string }>,
} as const
