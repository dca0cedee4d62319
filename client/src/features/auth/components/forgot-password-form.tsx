import { zodResolver } from '@hookform/resolvers/zod'
import { useLayoutEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { toAppError } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { requestPasswordLink } from '../api/mutations'
import { messages } from '../messages'
import { unansweredText } from '../model/auth-error'
import { type EmailOnly, emailSchema } from '../model/credentials'
import { AuthLink } from './auth-link'

/** Requests the link for a new password. The response is the same for every address (S-06). */
export function ForgotPasswordForm({ email, redirectTo }: { email: string; redirectTo: string }) {
  const form = useForm<EmailOnly>({ resolver: zodResolver(emailSchema), defaultValues: { email } })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // A user who follows the link and keeps typing continues in this field.
  const { setFocus } = form
  useLayoutEffect(() => setFocus('email'), [setFocus])

  const handleSubmit = form.handleSubmit(async (values) => {
    setProblem(null)
    setSentTo(null)
    try {
      await requestPasswordLink(values.email, redirectTo)
      setSentTo(values.email)
    } catch (error) {
      const failure = toAppError(error)
      setProblem(failure.kind === 'network' ? unansweredText(failure) : messages.tooMany)
    }
  })

  return (
    <form className="grid gap-4" onSubmit={(event) => void handleSubmit(event)} noValidate>
      {sentTo !== null && (
        <Alert tone="success" title={messages.forgotSent}>
          {messages.forgotSentText(sentTo)}
        </Alert>
      )}
      {problem !== null && (
        <Alert tone="danger" title={messages.forgotError}>
          {problem}
        </Alert>
      )}
      <FormField form={form} name="email" label={messages.email}>
        {(control) => <Input {...control} type="email" autoComplete="username" />}
      </FormField>
      <Button type="submit" size="lg" pending={form.formState.isSubmitting}>
        {messages.sendLink}
      </Button>
      <AuthLink to={paths.auth}>{messages.backToSignIn}</AuthLink>
    </form>
  )
}
