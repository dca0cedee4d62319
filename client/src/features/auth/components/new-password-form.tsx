import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { setPassword } from '../api/mutations'
import { messages } from '../messages'
import { newPasswordFailure } from '../model/auth-error'
import { type NewPassword, newPasswordSchema } from '../model/credentials'
import { PasswordInput } from './password-input'
import { PasswordRules } from './password-rules'

/** Sets the password of a user who followed a recovery link (ERR-65). */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const form = useForm<NewPassword>({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: '', confirm: '' },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  const [problem, setProblem] = useState<string | null>(null)

  const handleSubmit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await setPassword(values)
      showToast({ title: messages.passwordUpdated, tone: 'success' })
      onDone()
    } catch (error) {
      const { field, text } = newPasswordFailure(error)
      if (field === null) setProblem(text)
      else form.setError(field, { type: 'server', message: text }, { shouldFocus: true })
    }
  })

  return (
    <form className="grid gap-4" onSubmit={(event) => void handleSubmit(event)} noValidate>
      {problem !== null && (
        <Alert tone="danger" title={messages.passwordError}>
          {problem}
        </Alert>
      )}
      <div className="grid gap-2.5">
        <FormField form={form} name="password" label={messages.newPassword}>
          {(control) => <PasswordInput {...control} autoComplete="new-password" />}
        </FormField>
        <PasswordRules password={password} />
      </div>
      <FormField form={form} name="confirm" label={messages.confirmPassword}>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </FormField>
      <Button type="submit" size="lg" pending={form.formState.isSubmitting}>
        {messages.setPassword}
      </Button>
    </form>
  )
}
