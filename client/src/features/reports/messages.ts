import { translated } from '@/lib/translated'

/** Texts for visitors who want to report something; the dialog's own texts load with it. */
export const messages = translated('reports', {
  signIn: 'Authentication required',
  signInText: 'Please log in to report something',
})
