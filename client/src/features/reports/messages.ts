/** Texts for visitors who want to report something; the dialog's own texts load with it. */
export const messages = {
  signIn: 'Authentication required',
  signInText: 'Please log in to report something',
} as const
