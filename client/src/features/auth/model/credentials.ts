import * as z from 'zod/mini'
import { fullName } from '@/lib/full-name'
import { messages } from '../messages'

const email = z.pipe(
  z.string().check(
    z.trim(),
    z.toLowerCase(),
    z.refine((text) => !text.includes('+'), messages.emailPlus),
  ),
  z.email(messages.emailInvalid),
)

const minLength = 8
const maxLength = 128

/** The rules of a new password, each reported separately (RULE-03, RULE-04). */
export const passwordRules = [
  {
    key: 'length',
    label: messages.ruleLength,
    isMet: (text: string) => text.length >= minLength && text.length <= maxLength,
  },
  { key: 'lower', label: messages.ruleLower, isMet: (text: string) => /[a-z]/.test(text) },
  { key: 'upper', label: messages.ruleUpper, isMet: (text: string) => /[A-Z]/.test(text) },
  { key: 'digit', label: messages.ruleDigit, isMet: (text: string) => /[0-9]/.test(text) },
] as const

const newPassword = z.string().check(
  z.minLength(minLength, messages.passwordShort),
  z.maxLength(maxLength, messages.passwordLong),
  z.refine((text) => passwordRules.every((r) => r.key === 'length' || r.isMet(text)), {
    message: messages.passwordMix,
    // The length is checked first; the other rules are reported once it is correct.
    when: ({ issues }) => issues.length === 0,
  }),
)

const confirmed = (message: string) =>
  z.refine<{ password: string; confirm: string }>((form) => form.password === form.confirm, {
    message,
    path: ['confirm'],
    // Runs in addition to other errors: all errors are shown at once.
    when: () => true,
  })

export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, messages.passwordMissing)),
})
export type SignIn = z.infer<typeof signInSchema>

export const signUpSchema = z
  .object({ fullName, email, password: newPassword, confirm: z.string() })
  .check(confirmed(messages.mismatch))
export type SignUp = z.infer<typeof signUpSchema>

export const emailSchema = z.object({ email })
export type EmailOnly = z.infer<typeof emailSchema>

export const newPasswordSchema = z
  .object({ password: newPassword, confirm: z.string() })
  .check(confirmed(messages.mismatch))
export type NewPassword = z.infer<typeof newPasswordSchema>

// The requirements' rules for a change (PROFILE-06, PROFILE-07) come before the rules of every new
// password (C-08).
const changedMinLength = 6

export const changePasswordSchema = z
  .object({
    current: z.string().check(z.minLength(1, messages.passwordMissing)),
    password: z.pipe(
      z.string().check(z.minLength(changedMinLength, messages.changeShortText)),
      newPassword,
    ),
    confirm: z.string(),
  })
  .check(confirmed(messages.changeMismatchText))
export type ChangePassword = z.infer<typeof changePasswordSchema>
