import { useState } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { readAuthState } from '@/app/auth-notice'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { CheckEmail } from '@/features/auth/components/check-email'
import { LoadingForm } from '@/features/auth/components/lazy-forms'
import { messages } from '@/features/auth/messages'
import { authSearch, readAuthAddress } from '@/features/auth/model/auth-mode'
import { confirmationAddress, returnAddress } from '@/features/auth/model/callback'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { peekReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'
import { AuthPhone } from './auth-phone'
import { AuthReset } from './auth-reset'
import { AuthTabs } from './auth-tabs'
import { useLanding } from './use-landing'

/** Sign-in, sign-up and the related forms; `mode` in the URL selects the form (ROUTE-02). */
export function Component() {
  const [params] = useSearchParams()
  const address = readAuthAddress(params)
  const navigate = useNavigate()
  const state = readAuthState(useLocation().state)
  const [email, setEmail] = useState(state.email ?? '')
  const session = useSession()
  usePageMeta({ title: pageTitle(address.mode === 'register' ? messages.signUp : messages.signIn) })
  useLanding({ isWanted: address.mode !== 'reset', offersBusiness: address.role === 'owner' })

  const emailRedirectTo = confirmationAddress(paths.home, peekReturn())
  const confirm = (toConfirm: string, isUnconfirmed: boolean) => {
    const search = authSearch({ mode: 'confirm', role: address.role })
    void navigate({ pathname: paths.auth, search }, { state: { email: toConfirm, isUnconfirmed } })
  }

  if (session.status === 'signed-out' && session.secondFactors.length > 0) {
    return (
      <AuthFrame title={messages.secondTitle} text={messages.secondText}>
        <LoadingForm fields={1} className="min-h-71.5">
          {({ SecondFactorStep }) => <SecondFactorStep factors={session.secondFactors} />}
        </LoadingForm>
      </AuthFrame>
    )
  }
  switch (address.mode) {
    case 'reset':
      return <AuthReset />
    case 'forgot':
      return (
        <AuthFrame title={messages.forgotTitle} text={messages.forgotText}>
          <LoadingForm fields={1} className="min-h-49.5">
            {({ ForgotPasswordForm }) => (
              <ForgotPasswordForm
                email={email}
                redirectTo={returnAddress(paths.authCallback, paths.resetPassword)}
              />
            )}
          </LoadingForm>
        </AuthFrame>
      )
    case 'confirm':
      if (state.email === undefined) return <Navigate to={paths.auth} replace />
      return (
        <AuthFrame {...confirmWords(state.email, state.isUnconfirmed)}>
          <CheckEmail
            email={state.email}
            emailRedirectTo={emailRedirectTo}
            isNew={!state.isUnconfirmed}
          />
        </AuthFrame>
      )
    case 'phone':
    case 'phone-code':
      return <AuthPhone phone={address.mode === 'phone-code' ? state.phone : undefined} />
    default:
      return (
        <AuthTabs
          address={address}
          notice={state.notice}
          email={email}
          onEmail={setEmail}
          emailRedirectTo={emailRedirectTo}
          onConfirm={confirm}
        />
      )
  }
}

function confirmWords(email: string, isUnconfirmed: boolean) {
  return isUnconfirmed
    ? { title: messages.unconfirmedTitle, text: messages.unconfirmedText(email) }
    : { title: messages.checkTitle, text: messages.checkText(email) }
}
