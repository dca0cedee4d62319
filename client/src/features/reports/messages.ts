/** What a visitor is told who wants to report something; the dialog's own words come with it. */
export const messages = {
  signIn: 'Authentication required',
  signInText: 'Please log in to report something',
} as const
