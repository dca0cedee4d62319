import { translated } from '@/lib/translated'

/** The reasons as they are stored, whatever the language of the page. */
export const reasons = {
  business: [
    'Wrong or misleading information',
    'It does not exist or is closed',
    'Spam or fraud',
    'Offensive content',
    'Other',
  ],
  review: [
    'Not about a visit to this business',
    'Spam or advertising',
    'Offensive content',
    'Personal information',
    'Other',
  ],
  user: ['Spam or fraud', 'Harassment', 'Does not keep bookings', 'Other'],
} as const

/** Texts for reporting a business, a review or a person (ADMIN-REPORT-09). */
export const messages = translated('reportDialog', {
  title: (name: string) => `Report ${name}`,
  text: 'An administrator looks at every report. Whom you report is not told who did.',
  reason: 'Reason',
  choose: 'Choose a reason',
  reasonRequired: 'Please choose a reason',
  details: 'Details (optional)',
  detailsHelp: 'What happened, and where can it be seen?',
  detailsTooLong: 'At most 1000 characters',
  send: 'Send report',
  cancel: 'Cancel',
  sent: 'Report sent',
  sentText: 'Thank you. An administrator will look at it.',
  reasons,
  failures: {
    '23505': 'You have reported this already. An administrator will look at it.',
    '23514': 'You cannot report yourself.',
    reported_not_found: 'What you want to report does not exist any more.',
    too_many_reports: 'You have 20 reports that are not decided yet. Please wait until they are.',
  },
})
