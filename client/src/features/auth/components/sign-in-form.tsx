import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { showToast } from '@/components/ui/toast'
import { paths } from '@/lib/paths'
import { signInWithPassword } from '../api/mutations'
import { messages } from '../messages'
import { type Notice, signInFailure } from '../model/auth-error'
import { authSearch } from '../model/auth-mode'
import { type SignIn, signInSchema } from '../model/credentials'
import { AuthLink } from './auth-link'
import { PasswordInput } from './password-input'

type SignInFormProps = {
  email: string
  /**
   * Keeps the address for the other forms at every keystroke: another form may already be loading.
   */
  onEmail: (email: string) => void
  /** The address is correct but not confirmed yet. */
  onUnconfirmed: (email: string) => void
}

/** Sign-in by email and password (AUTH-01, AUTH-05); the input is kept after a refusal. */
export function SignInForm({ email, onEmail, onUnconfirmed }: SignInFormProps) {
  const form = useForm<SignIn>({
    resolver: zodResolver(signInSchema),
    defaultValues: { email, password: '' },
  })
  const [notice, setNotice] = useState<Notice | null>(null)
  const [isLocked, setLocked] = useState(false)

  const handleSubmit = form.handleSubmit(async (values) => {
    setNotice(null)
    setLocked(false)
    try {
      const isWhole = await signInWithPassword(values)
      if (isWhole) {
        showToast({ title: messages.signedIn, text: messages.welcomeBack, tone: 'success' })
      }
    } catch (error) {
      const failure = signInFailure(error)
      if (failure.kind === 'unconfirmed') return onUnconfirmed(values.email)
      if (failure.kind === 'locked') {
        setLocked(true)
        showToast({ ...failure.notice, tone: 'danger' })
        return
      }
      setNotice(failure.notice)
      form.setFocus('password', { shouldSelect: true })
    }
  })

  return (
    <form className="grid gap-4" onSubmit={(event) => void handleSubmit(event)} noValidate>
      {isLocked && <Alert tone="danger" title={messages.lockedBanner} />}
      {notice && (
        <Alert tone="danger" title={notice.title}>
          {notice.text}
        </Alert>
      )}
      <FormField form={form} name="email" label={messages.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            onChange={(event) => {
              onEmail(event.target.value)
              void control.onChange(event)
            }}
          />
        )}
      </FormField>
      <div className="grid gap-1">
        <FormField form={form} name="password" label={messages.password}>
          {(control) => <PasswordInput {...control} autoComplete="current-password" />}
        </FormField>
        <AuthLink
          to={{ pathname: paths.auth, search: authSearch({ mode: 'forgot', role: 'user' }) }}
        >
          {messages.forgot}
        </AuthLink>
      </div>
      <Button type="submit" size="lg" pending={form.formState.isSubmitting}>
        {messages.signIn}
      </Button>
    </form>
  )
}
