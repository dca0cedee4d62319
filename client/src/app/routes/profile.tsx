import type { User } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page-header'
import { ButtonLink } from '@/components/ui/button'
import { Tabs } from '@/components/ui/tabs'
import { accountQuery } from '@/features/auth/api/queries'
import { ProfilePanel } from '@/features/profile/components/profile-panel'
import { Setting } from '@/features/profile/components/setting'
import { messages } from '@/features/profile/messages'
import { profileTabs, readTab } from '@/features/profile/model/tab'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { AccountTab } from './profile-account'
import { NotificationsTab } from './profile-notifications'

/** The user's settings (PROFILE-01 to PROFILE-10). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const [params, setParams] = useSearchParams()
  const { user } = useSession()
  if (!user) return null
  const content = {
    profile: <ProfileTab user={user} />,
    account: <AccountTab user={user} />,
    notifications: <NotificationsTab user={user} />,
    security: (
      <Setting title={messages.security} text={messages.securityText}>
        <ButtonLink to={paths.security}>{messages.openSecurity}</ButtonLink>
      </Setting>
    ),
  }
  return (
    <div className="page max-w-[62rem] pb-16">
      <PageHeader title={messages.title} />
      <Tabs
        label={messages.tabs}
        value={readTab(params)}
        onChange={(tab) =>
          setParams(tab === 'profile' ? {} : { tab }, { preventScrollReset: true })
        }
        tabs={profileTabs.map((key) => ({ key, label: messages[key], content: content[key] }))}
      />
    </div>
  )
}

function ProfileTab({ user }: { user: User }) {
  const client = useQueryClient()
  return (
    <ProfilePanel
      userId={user.id}
      email={user.email ?? ''}
      phone={user.phone ?? ''}
      onSaved={() => void client.invalidateQueries({ queryKey: accountQuery(user.id).queryKey })}
    />
  )
}
