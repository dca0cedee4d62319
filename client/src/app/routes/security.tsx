import type { User } from '@supabase/supabase-js'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useSignOut } from '@/app/layouts/use-sign-out'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page-header'
import { Spinner } from '@/components/ui/spinner'
import { Tabs } from '@/components/ui/tabs'
import { EventList } from '@/features/security/components/event-list'
import { Overview } from '@/features/security/components/overview'
import { SessionList } from '@/features/security/components/session-list'
import { messages } from '@/features/security/messages'
import { readTab, type SecurityTab, securityTabs } from '@/features/security/model/tab'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'

const TwoFactor = lazyPart(
  async () => (await import('@/features/security/components/two-factor')).TwoFactor,
)

const Passkeys = lazyPart(
  async () => (await import('@/features/security/components/passkeys')).Passkeys,
)

const hrefOf = (tab: SecurityTab) => `${paths.security}${tab === 'overview' ? '' : `?tab=${tab}`}`
const passwordHref = `${paths.profile}?tab=account`

/** The security settings of the user's account (SEC-01, SEC-02). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const [params, setParams] = useSearchParams()
  const handleSignOut = useSignOut()
  const session = useSession()
  if (session.status !== 'signed-in') return null
  const { user, sessionId } = session
  const content = {
    overview: <Overview userId={user.id} hrefOf={hrefOf} passwordHref={passwordHref} />,
    'two-factor': (
      <Suspense fallback={<Spinner className="appear-late" />}>
        <div className="grid gap-10">
          <TwoFactor userId={user.id} account={nameOf(user)} />
          <Passkeys userId={user.id} />
        </div>
      </Suspense>
    ),
    sessions: (
      <SessionList userId={user.id} current={sessionId} onSignOut={() => void handleSignOut()} />
    ),
    activity: <EventList userId={user.id} />,
  }
  return (
    <div className="page max-w-[62rem] pb-16">
      <PageHeader title={messages.title} text={messages.text} />
      <Tabs
        label={messages.tabs}
        value={readTab(params)}
        onChange={(tab) =>
          setParams(tab === 'overview' ? {} : { tab }, { preventScrollReset: true })
        }
        tabs={securityTabs.map((key) => ({
          key,
          label: messages.tab[key],
          content: content[key],
        }))}
      />
    </div>
  )
}

function nameOf({ email, phone }: User): string {
  return email || phone || ''
}
