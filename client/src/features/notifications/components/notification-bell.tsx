import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { unreadCountQuery } from '../api/queries'

/** The bell of the header: how many are unread, and the way to them (NAV-01). */
export function NotificationBell({ userId }: { userId: string }) {
  const { data: unread = 0 } = useQuery(unreadCountQuery(userId))
  return (
    <Link
      to={paths.notifications}
      className="hit relative inline-flex items-center justify-center rounded-control hover:bg-sunken"
    >
      <Bell className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">
        {unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
      </span>
      {unread > 0 && (
        <span
          aria-hidden
          className="nums absolute top-1 right-0.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs font-semibold text-on-primary"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}
