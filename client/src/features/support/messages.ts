import { countText } from '@/lib/formats'
/** Texts for questions to the administrators. */
export const messages = {
  title: 'Write to us',
  text: 'The answer appears on this page, and we notify you when it is there.',
  priority: 'Your plan has priority support',
  priorityText: 'Your questions are answered first.',
  subject: 'Subject',
  subjectShort: 'Please enter a subject of at least 3 characters',
  subjectLong: 'The subject cannot exceed 120 characters',
  message: 'Your question',
  messageShort: 'Please describe it in at least 10 characters',
  messageLong: 'The question cannot exceed 4,000 characters',
  count: (used: number, most: number) => `${countText(used)} of ${countText(most)} characters`,
  send: 'Send question',
  sent: 'Question sent',
  sentText: 'You will be notified of the answer.',
  notSent: 'Your question was not sent',
  kept: 'What you wrote is kept.',
  failures: {
    too_many_tickets:
      'You have 10 questions that are not answered yet. Please wait for one of the answers. What you wrote is kept.',
  },

  own: 'Your questions',
  pending: 'Loading your questions',
  error: 'Your questions could not be loaded',
  empty: 'You have not asked anything yet.',
  more: 'Show more',
  moreError: 'Could not load more questions. Please try again.',
  waiting: 'Waiting',
  answered: 'Answered',
  first: 'First in line',
  asked: (when: string) => `Asked: ${when}`,
  answer: (when: string) => `Our answer · ${when}`,
  missing: 'This question is not among yours',
  missingText: 'It may have been asked from another account.',
} as const
