import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { landingPath } from '@/app/landing'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { showToast } from '@/components/ui/toast'
import { accountQuery, ensureProfile } from '@/features/auth/api/queries'
import { guardMessages as messages } from '@/features/auth/guard-messages'
import { guardStep, stepText } from '@/features/auth/model/guard-step'
import { absoluteUrl } from '@/lib/language'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import type { Role } from '@/lib/role'
import { followSession, type SessionState, useSession } from '@/lib/session'
import { useRefusedSession } from './use-refused-session'

/** Redirect-on-denied delay (PERM-05, C-03). */
const deniedDelayMs = 2000

type GuardProps = {
  needs?: Role
  /** Replaces the specified text of each step while the session and role are being loaded. */
  waiting?: string
  /** Shown instead of the page if the user's role is insufficient. */
  denied?: ReactNode
  /** The reason, in place of the specified text for all pages. */
  deniedText?: string
  /** Shown if the profile could not be loaded. */
  failed?: (onRetry: () => void) => ReactNode
}

function sessionStatus(session: SessionState): SessionState['status'] | 'unread' {
  return session.status === 'signed-out' && session.isUnread ? 'unread' : session.status
}

/** Guards pages that need a signed-in user, or a role (AUTH-16, AUTH-17, PERM-03). */
export function Guard({ needs = 'user', waiting, denied, deniedText, failed }: GuardProps) {
  useRefusedSession()
  const client = useQueryClient()
  const session = useSession()
  const userId = session.user?.id ?? ''
  const account = useQuery({ ...accountQuery(userId), enabled: userId !== '' })
  const create = useMutation({
    mutationFn: ensureProfile,
    onSuccess: () => client.invalidateQueries({ queryKey: accountQuery(userId).queryKey }),
  })
  const step = guardStep({
    session: sessionStatus(session),
    account: account.data,
    isFailed: account.isError && account.data === undefined,
    isCreationFailed: create.isError,
    required: needs,
  })

  const { mutate } = create
  useEffect(() => {
    if (step === 'creating') mutate()
  }, [step, mutate])

  switch (step) {
    case 'granted':
      return (
        <>
          <p role="status" className="sr-only">
            {stepText(step, needs)}
          </p>
          <Outlet />
        </>
      )
    case 'signed-out':
      return <SendToAuth isLost={session.status === 'signed-out' && session.isLost} />
    case 'denied':
      return denied ?? <Denied text={deniedText ?? messages.deniedText(needs)} />
    case 'failed': {
      const handleRetry = () => void account.refetch()
      return (
        failed?.(handleRetry) ?? (
          <CheckFailed
            title={needs === 'user' ? messages.profileError : messages.roleUnread}
            text={needs === 'user' ? messages.profileLoadText : messages.roleUnreadText}
            onRetry={handleRetry}
          />
        )
      )
    }
    case 'unread':
      return (
        <CheckFailed
          title={messages.sessionUnread}
          text={messages.sessionUnreadText}
          onRetry={() => void followSession().catch(() => undefined)}
        />
      )
    case 'creation-failed':
      return (
        <CheckFailed
          title={messages.profileError}
          text={messages.profileCreateText}
          onRetry={() => create.mutate()}
        />
      )
    default:
      return <Step text={waiting ?? stepText(step, needs)} />
  }
}

function Step({ text }: { text: string }) {
  return (
    <div className="page grid min-h-[64dvh] place-content-center">
      <Spinner className="appear-late" label={text} />
    </div>
  )
}

/**
 * No session: remembers the page and redirects to sign-in with the reason (ROUTE-03, C-07,
 * AUTH-23).
 */
function SendToAuth({ isLost }: { isLost: boolean }) {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const here = `${pathname}${search}${hash}`
  useEffect(() => {
    // Signing out has already navigated home; this page is only still rendered.
    if (new URL(absoluteUrl(pathname)).pathname !== window.location.pathname) return
    rememberReturn(here)
    const notice = isLost
      ? { title: messages.ended, text: messages.endedText }
      : { title: messages.authRequired, text: messages.authRequiredText }
    // The shell reports a lost session on every page.
    if (!isLost) showToast(notice)
    void navigate(paths.auth, { replace: true, state: { notice } })
  }, [here, pathname, isLost, navigate])
  return <Step text={stepText('session', 'user')} />
}

function Denied({ text }: { text: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(
      () => void navigate(landingPath({ stored: null, account: null }), { replace: true }),
      deniedDelayMs,
    )
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <div className="page min-h-[64dvh] py-16">
      <h1 className="sr-only">{messages.denied}</h1>
      <Alert tone="danger" title={messages.denied}>
        {text}
      </Alert>
    </div>
  )
}

type CheckFailedProps = { title: string; text: string; onRetry: () => void }

function CheckFailed({ title, text, onRetry }: CheckFailedProps) {
  return (
    <div className="page min-h-[64dvh] py-16">
      <h1 className="sr-only">{title}</h1>
      <Alert
        tone="danger"
        title={title}
        action={
          <Button variant="outline" onClick={onRetry}>
            {messages.retry}
          </Button>
        }
      >
        {text}
      </Alert>
    </div>
  )
}
