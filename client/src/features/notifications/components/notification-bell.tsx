import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Popover } from '@/components/ui/popover'
import { unreadCountQuery } from '../api/queries'
import { messages } from '../messages'
import { badgeText } from '../model/notification'
import { BellPanel } from './bell-panel'

/**
 * The notification bell in the header: the unread count, and the latest ones (NAV-01). `nameOf`
 * gives its name in the page's language.
 */
export function NotificationBell({ userId, nameOf }: NotificationBellProps) {
  const { data: unread = 0 } = useQuery(unreadCountQuery(userId))
  return (
    <Popover
      label={messages.title}
      align="end"
      className="w-[min(24rem,calc(100vw-2rem))] max-h-[min(36rem,calc(100dvh-6rem))] overflow-y-auto p-0"
      trigger={(props) => (
        <button
          {...props}
          className="hit relative inline-flex items-center justify-center rounded-control hover:bg-sunken"
        >
          <Bell className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{nameOf(unread)}</span>
          {unread > 0 && (
            <span
              aria-hidden
              className="nums absolute top-1 right-0.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs font-semibold text-on-primary"
            >
              {badgeText(unread)}
            </span>
          )}
        </button>
      )}
    >
      {(close) => <BellPanel userId={userId} unread={unread} onClose={close} />}
    </Popover>
  )
}

interface NotificationBellProps {
  userId: string
  nameOf: (unread: number) => string
}
