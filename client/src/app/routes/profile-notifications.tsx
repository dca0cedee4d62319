import type { User } from '@supabase/supabase-js'
import { useQuery } from '@tanstack/react-query'
import { Alert } from '@/components/ui/alert'
import { ButtonLink } from '@/components/ui/button'
import { accountQuery } from '@/features/auth/api/queries'
import { NoticeSettings } from '@/features/notices/components/notice-settings'
import { messages } from '@/features/notices/messages'
import { Setting } from '@/features/profile/components/setting'
import { paths } from '@/lib/paths'
import { hasRole } from '@/lib/role'

/** The Notifications tab: mail settings, and what is coming soon (PROFILE-09). */
export function NotificationsTab({ user }: { user: User }) {
  const { data: account } = useQuery(accountQuery(user.id))
  const email = user.email ?? ''
  const about = (
    <div className="grid justify-items-start gap-3">
      {email !== '' && <p className="break-words">{messages.text(email)}</p>}
      <p>{messages.soon}</p>
      <ButtonLink variant="outline" size="sm" to={paths.notifications}>
        {messages.openNotifications}
      </ButtonLink>
    </div>
  )
  return (
    <Setting title={messages.title} text={about}>
      {email === '' ? (
        <Alert title={messages.noAddress} />
      ) : (
        <NoticeSettings userId={user.id} isOwner={hasRole(account?.role ?? 'user', 'owner')} />
      )}
    </Setting>
  )
}
