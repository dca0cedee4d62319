import { PageHeader } from '@/components/page-header'
import { MarkAllButton } from '@/features/notifications/components/mark-all-button'
import { NotificationList } from '@/features/notifications/components/notification-list'
import { messages } from '@/features/notifications/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { useSession } from '@/lib/session'

/** All notifications of the user (NOTIF-01 to NOTIF-04). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="page max-w-[52rem] pb-16">
      <PageHeader title={messages.title} actions={<MarkAllButton userId={user.id} />} />
      <NotificationList userId={user.id} />
    </div>
  )
}
