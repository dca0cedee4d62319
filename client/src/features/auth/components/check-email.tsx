import { Alert } from '@/components/ui/alert'
import { paths } from '@/lib/paths'
import { confirmByCode, resendConfirmation } from '../api/mutations'
import { messages } from '../messages'
import { authSearch } from '../model/auth-mode'
import { AuthLink } from './auth-link'
import { CodeForm } from './code-form'
import { Resend } from './resend'

type CheckEmailProps = {
  email: string
  emailRedirectTo: string
  /** The account was just created; otherwise sign-in found its address unconfirmed. */
  isNew: boolean
}

/** The steps after sign-up: open the link, or enter the code, or send both again. */
export function CheckEmail({ email, emailRedirectTo, isNew }: CheckEmailProps) {
  return (
    <div className="grid gap-6">
      {isNew && (
        <Alert tone="success" title={messages.signUpDone}>
          {messages.signUpDoneText}
        </Alert>
      )}
      <CodeForm label={messages.code} onCode={(digits) => confirmByCode(email, digits)} />
      <Resend onSend={() => resendConfirmation(email, emailRedirectTo)} sentText={messages.resent}>
        <AuthLink
          to={{ pathname: paths.auth, search: authSearch({ mode: 'register', role: 'user' }) }}
        >
          {messages.otherEmail}
        </AuthLink>
      </Resend>
    </div>
  )
}
