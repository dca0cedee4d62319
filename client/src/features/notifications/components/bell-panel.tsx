import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { useMarkAllRead, useMarkRead } from '../api/mutations'
import { newestQuery } from '../api/queries'
import { messages } from '../messages'
import { NotificationItem } from './notification-item'

/** The panel of the notification bell: the latest few, and a link to all of them. */
export function BellPanel({
  userId,
  unread,
  onClose,
}: {
  userId: string
  unread: number
  onClose: () => void
}) {
  const query = useQuery(newestQuery(userId))
  const markRead = useMarkRead(userId)
  const markAll = useMarkAllRead(userId)
  const now = new Date()
  return (
    <div className="grid gap-1 p-2">
      <div className="flex min-h-11 items-center justify-between gap-2 ps-3">
        <h2 className="text-lg">{messages.title}</h2>
        {unread > 0 && (
          <Button variant="quiet" size="sm" onClick={() => markAll.mutate()}>
            {messages.markAllRead}
          </Button>
        )}
      </div>
      <QueryState
        query={query}
        pending={<PanelSkeleton />}
        errorTitle={messages.error}
        isEmpty={(items) => items.length === 0}
        empty={<p className="px-3 py-8 text-center text-muted">{messages.empty}</p>}
      >
        {(items) => (
          <ul className="grid gap-1">
            {items.map((item) => (
              <li key={item.id}>
                <NotificationItem
                  item={item}
                  now={now}
                  onFollow={({ id, isRead }) => {
                    onClose()
                    if (!isRead) markRead.mutate(id)
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <Link
        to={paths.notifications}
        className="flex min-h-11 items-center justify-center rounded-control font-semibold text-primary hover:bg-sunken"
        onClick={onClose}
      >
        {messages.viewAll}
      </Link>
    </div>
  )
}

function PanelSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-1">
      <Skeleton className="h-20 rounded-control" />
      <Skeleton className="h-20 rounded-control" />
      <Skeleton className="h-20 rounded-control" />
    </SkeletonGroup>
  )
}
