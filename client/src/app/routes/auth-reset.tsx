import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { landingPath } from '@/app/landing'
import { ButtonLink } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { accountQuery } from '@/features/auth/api/queries'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { LoadingForm } from '@/features/auth/components/lazy-forms'
import { messages } from '@/features/auth/messages'
import { authSearch } from '@/features/auth/model/auth-mode'
import { paths } from '@/lib/paths'
import { takeReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'

/**
 * The target of a recovery link: the user sets a new password, or learns that the link was already
 * used.
 */
export function AuthReset() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const session = useSession()
  if (session.status === 'pending') {
    return (
      <AuthFrame title={messages.resetTitle}>
        <Spinner className="appear-late justify-self-center" />
      </AuthFrame>
    )
  }
  if (session.status === 'signed-out') {
    return (
      <AuthFrame title={messages.resetExpired} text={messages.resetExpiredText}>
        <ButtonLink
          size="lg"
          to={{ pathname: paths.auth, search: authSearch({ mode: 'forgot', role: 'user' }) }}
        >
          {messages.requestLink}
        </ButtonLink>
      </AuthFrame>
    )
  }
  const handleDone = () => {
    const account = client.getQueryData(accountQuery(session.user.id).queryKey) ?? null
    void navigate(landingPath({ stored: takeReturn(), account }), { replace: true })
  }
  return (
    <AuthFrame title={messages.resetTitle} text={messages.resetText}>
      <LoadingForm fields={2} className="min-h-79.5 sm:min-h-69.5">
        {({ NewPasswordForm }) => <NewPasswordForm onDone={handleDone} />}
      </LoadingForm>
    </AuthFrame>
  )
}
