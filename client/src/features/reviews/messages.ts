/** Texts of the reviews on the dashboard (METRICS-33 to METRICS-37). */
export const messages = {
  groups: 'Which reviews',
  group: {
    all: 'All',
    positive: 'Positive',
    neutral: 'Neutral',
    negative: 'Needs Attention',
  },
  pending: 'Loading reviews',
  error: 'The reviews could not be loaded',
  empty: 'No reviews in this category',
  more: 'Show more',
  moreError: 'Could not load more reviews. Please try again.',
  anonymous: 'Anonymous User',
  yourAnswer: 'Your response',
  respond: (name: string) => `Respond to ${name}`,
  help: 'Everybody can read it below the review.',
  send: 'Send',
  sending: 'Sending...',
  sent: 'Response sent',
  notSent: 'The response was not sent',
  refusals: {
    '23505': 'This review has a response already.',
    '23503': 'This review does not exist any more.',
    '23514': 'Please write a response of 1 to 1000 characters, without markup.',
  },
} as const

/** Maximum length of a response. */
export const responseLength = 1000
