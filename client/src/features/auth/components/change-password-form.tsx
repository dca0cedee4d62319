import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { changePassword } from '../api/mutations'
import { messages } from '../messages'
import { changePasswordFailure } from '../model/auth-error'
import { type ChangePassword, changePasswordSchema } from '../model/credentials'
import { PasswordInput } from './password-input'
import { PasswordRules } from './password-rules'

const empty: ChangePassword = { current: '', password: '', confirm: '' }

/** The validation errors for which the requirements define a title (PROFILE-06, PROFILE-07). */
function showInvalid({ password, confirm }: FieldErrors<ChangePassword>): void {
  if (password?.message === messages.changeShortText) {
    showToast({ title: messages.changeShort, text: messages.changeShortText, tone: 'danger' })
  } else if (confirm) {
    showToast({ title: messages.changeMismatch, text: messages.changeMismatchText, tone: 'danger' })
  }
}

/** Changes the password; the current one is required (PROFILE-04 to PROFILE-07, C-08, C-09). */
export function ChangePasswordForm({ email }: { email: string }) {
  const form = useForm<ChangePassword>({
    resolver: zodResolver(changePasswordSchema),
    defaultValues: empty,
  })
  const typed = useWatch({ control: form.control })
  const isFilled = Boolean(typed.current && typed.password && typed.confirm)
  const [problem, setProblem] = useState<string | null>(null)

  const handleSubmit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await changePassword(values)
      form.reset(empty)
      showToast({ title: messages.passwordUpdated, text: messages.changed, tone: 'success' })
    } catch (error) {
      const { field, text } = changePasswordFailure(error)
      if (field === null) setProblem(text)
      else form.setError(field, { type: 'server', message: text }, { shouldFocus: true })
    }
  }, showInvalid)

  return (
    <form className="grid gap-5" onSubmit={(event) => void handleSubmit(event)} noValidate>
      {problem !== null && (
        <Alert tone="danger" title={messages.passwordError}>
          {problem}
        </Alert>
      )}
      {/* Tells a password manager whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <FormField form={form} name="current" label={messages.currentPassword}>
        {(control) => <PasswordInput {...control} autoComplete="current-password" />}
      </FormField>
      <div className="grid gap-2.5">
        <FormField form={form} name="password" label={messages.newPassword}>
          {(control) => <PasswordInput {...control} autoComplete="new-password" />}
        </FormField>
        <PasswordRules password={typed.password ?? ''} />
      </div>
      <FormField form={form} name="confirm" label={messages.confirmNewPassword}>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </FormField>
      <Button
        type="submit"
        className="justify-self-start"
        disabled={!isFilled}
        pending={form.formState.isSubmitting}
      >
        {messages.changePassword}
      </Button>
    </form>
  )
}
