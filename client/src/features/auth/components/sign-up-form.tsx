import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { showToast } from '@/components/ui/toast'
import { paths } from '@/lib/paths'
import { signUp } from '../api/mutations'
import { messages } from '../messages'
import { type Notice, signUpFailure } from '../model/auth-error'
import { type SignUp, signUpSchema } from '../model/credentials'
import { PasswordInput } from './password-input'
import { PasswordRules } from './password-rules'

type SignUpFormProps = {
  email: string
  onEmail: (email: string) => void
  role: 'user' | 'owner'
  /** The redirect target of the mail's link. */
  emailRedirectTo: string
  onCreated: (email: string) => void
}

/** Creates an account (AUTH-02, AUTH-06). */
export function SignUpForm({ email, onEmail, role, emailRedirectTo, onCreated }: SignUpFormProps) {
  const form = useForm<SignUp>({
    resolver: zodResolver(signUpSchema),
    defaultValues: { fullName: '', email, password: '', confirm: '' },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  const [notice, setNotice] = useState<Notice | null>(null)

  const create = async (values: SignUp) => {
    setNotice(null)
    try {
      await signUp(values, { role, emailRedirectTo })
      form.reset({ fullName: '', email: '', password: '', confirm: '' })
      showToast({ title: messages.created, text: messages.createdText, tone: 'success' })
      onCreated(values.email)
    } catch (error) {
      const failure = signUpFailure(error)
      if (failure.field === null) setNotice(failure.notice)
      else {
        const problem = { type: 'server', message: failure.notice.text }
        form.setError(failure.field, problem, { shouldFocus: true })
        showToast({ ...failure.notice, tone: 'danger' })
      }
    }
  }
  const handleSubmit = form.handleSubmit(create, ({ confirm }) => {
    if (confirm?.message !== messages.mismatch) return
    showToast({ title: messages.mismatchTitle, text: messages.mismatch, tone: 'danger' })
  })

  return (
    <form className="grid gap-4" onSubmit={(event) => void handleSubmit(event)} noValidate>
      {role === 'owner' && <Alert title={messages.ownerIntent}>{messages.ownerIntentText}</Alert>}
      {notice && (
        <Alert tone="danger" title={notice.title}>
          {notice.text}
        </Alert>
      )}
      <FormField form={form} name="fullName" label={messages.fullName}>
        {(control) => <Input {...control} autoComplete="name" />}
      </FormField>
      <FormField form={form} name="email" label={messages.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            onChange={(event) => {
              onEmail(event.target.value)
              void control.onChange(event)
            }}
          />
        )}
      </FormField>
      <div className="grid gap-2.5">
        <FormField form={form} name="password" label={messages.password}>
          {(control) => <PasswordInput {...control} autoComplete="new-password" />}
        </FormField>
        <PasswordRules password={password} />
      </div>
      <FormField form={form} name="confirm" label={messages.confirmPassword}>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </FormField>
      <Button type="submit" size="lg" pending={form.formState.isSubmitting}>
        {messages.createAccount}
      </Button>
      <p className="text-sm text-muted">
        {messages.terms} <InlineLink to={paths.terms}>{messages.termsLink}</InlineLink>{' '}
        {messages.and} <InlineLink to={paths.privacy}>{messages.privacyLink}</InlineLink>.
      </p>
    </form>
  )
}

function InlineLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="text-primary underline underline-offset-4">
      {children}
    </Link>
  )
}
