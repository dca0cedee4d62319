import type { User } from '@supabase/supabase-js'
import { useMutation } from '@tanstack/react-query'
import { lazyPart } from '@/components/lazy-part'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { requestPasswordLink } from '../api/mutations'
import { messages } from '../messages'
import { hasPassword } from '../model/sign-in-ways'
import { LoadingForm } from './lazy-forms'

const ChangePasswordForm = lazyPart(
  async () => (await import('./change-password-form')).ChangePasswordForm,
)

type PasswordSettingProps = {
  user: User
  /** The redirect target of the mail's link. */
  redirectTo: string
}

/** The password form, or its replacement for users who sign in without a password. */
export function PasswordSetting({ user, redirectTo }: PasswordSettingProps) {
  const email = user.email ?? ''
  if (hasPassword(user)) {
    return (
      <LoadingForm fields={3} className="min-h-98.5">
        <ChangePasswordForm email={email} />
      </LoadingForm>
    )
  }
  return email === '' ? (
    <p className="text-muted">{messages.noPasswordPhone}</p>
  ) : (
    <PasswordByMail email={email} redirectTo={redirectTo} />
  )
}

/** The first password is set through a link in a mail. */
function PasswordByMail({ email, redirectTo }: { email: string; redirectTo: string }) {
  const { mutate, isPending, isSuccess, isError } = useMutation({
    mutationFn: () => requestPasswordLink(email, redirectTo),
  })
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-muted">{messages.noPasswordText}</p>
      {isSuccess && (
        <Alert tone="success" title={messages.forgotSent}>
          {messages.forgotSentText(email)}
        </Alert>
      )}
      {isError && (
        <Alert tone="danger" title={messages.forgotError}>
          {messages.tooMany}
        </Alert>
      )}
      <Button variant="outline" pending={isPending} onClick={() => mutate()}>
        {messages.sendLink}
      </Button>
    </div>
  )
}
