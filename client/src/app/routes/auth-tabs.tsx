import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { AuthNotice } from '@/app/auth-notice'
import { Alert } from '@/components/ui/alert'
import { Tabs } from '@/components/ui/tabs'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { LoadingForm } from '@/features/auth/components/lazy-forms'
import { OtherWays } from '@/features/auth/components/other-ways'
import { messages } from '@/features/auth/messages'
import { type AuthAddress, authSearch } from '@/features/auth/model/auth-mode'
import { absoluteUrl } from '@/lib/language'
import { paths } from '@/lib/paths'
import { returnPurpose } from '@/lib/return-path'

type AuthTabsProps = {
  address: AuthAddress
  notice: AuthNotice | undefined
  email: string
  onEmail: (email: string) => void
  emailRedirectTo: string
  /** An address must be confirmed: after sign-up, or because sign-in was refused without it. */
  onConfirm: (email: string, isUnconfirmed: boolean) => void
}

/** The two tabs, Sign In and Sign Up (ROUTE-02, ROUTE-04). */
export function AuthTabs(props: AuthTabsProps) {
  const { address, notice, email, onEmail, emailRedirectTo, onConfirm } = props
  const navigate = useNavigate()
  const { state } = useLocation()
  const [purpose] = useState(returnPurpose)
  const open = address.mode === 'register' ? 'register' : 'sign-in'
  return (
    <AuthFrame title={messages.title}>
      {notice && <Alert title={notice.title}>{notice.text}</Alert>}
      {!notice && purpose !== '' && (
        <Alert title={messages.purpose}>
          {purpose}
          <span className="block text-muted">{messages.purposeText}</span>
        </Alert>
      )}
      <div>
        <Tabs
          label={messages.tabs}
          value={open}
          onChange={(mode) => {
            const search = authSearch({ ...address, mode })
            void navigate({ pathname: paths.auth, search }, { state, preventScrollReset: true })
          }}
          tabs={[
            {
              key: 'sign-in',
              label: messages.signIn,
              content: (
                <LoadingForm fields={2} className="min-h-68">
                  {({ SignInForm }) => (
                    <SignInForm
                      email={email}
                      onEmail={onEmail}
                      onUnconfirmed={(late) => onConfirm(late, true)}
                    />
                  )}
                </LoadingForm>
              ),
            },
            {
              key: 'register',
              label: messages.signUp,
              content: (
                <LoadingForm fields={4} className="min-h-136.5 sm:min-h-121.5">
                  {({ SignUpForm }) => (
                    <SignUpForm
                      email={email}
                      onEmail={onEmail}
                      role={address.role}
                      emailRedirectTo={emailRedirectTo}
                      onCreated={(created) => onConfirm(created, false)}
                    />
                  )}
                </LoadingForm>
              ),
            },
          ]}
        />
      </div>
      <OtherWays redirectTo={absoluteUrl(paths.authCallback)} />
    </AuthFrame>
  )
}
