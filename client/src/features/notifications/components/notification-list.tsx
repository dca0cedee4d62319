import { useInfiniteQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { PagedList } from '@/components/paged-list'
import { Button, ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { useMarkRead } from '../api/mutations'
import { notificationsQuery } from '../api/queries'
import { messages } from '../messages'
import type { Notification } from '../model/notification'
import { NotificationItem } from './notification-item'

/** All notifications, newest first (NOTIF-02, NOTIF-03). */
export function NotificationList({ userId }: { userId: string }) {
  const query = useInfiniteQuery(notificationsQuery(userId))
  const markRead = useMarkRead(userId)
  const now = new Date()
  const markIfUnread = ({ id, isRead }: Notification) => {
    if (!isRead) markRead.mutate(id)
  }
  return (
    <PagedList
      query={query}
      pending={<ListSkeleton />}
      empty={
        <EmptyState
          title={messages.empty}
          text={messages.emptyText}
          action={<ButtonLink to={paths.search()}>{messages.search}</ButtonLink>}
        />
      }
      words={messages}
      className="grid gap-1"
    >
      {(item) => (
        <NotificationItem
          item={item}
          now={now}
          headingLevel="h2"
          onFollow={markIfUnread}
          action={item.isRead ? undefined : <MarkButton item={item} onMark={markIfUnread} />}
        />
      )}
    </PagedList>
  )
}

function MarkButton({
  item,
  onMark,
}: {
  item: Notification
  onMark: (item: Notification) => void
}) {
  return (
    <Button variant="quiet" size="icon" title={messages.markRead} onClick={() => onMark(item)}>
      <Check className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">
        {messages.markRead}: {item.title}
      </span>
    </Button>
  )
}

function ListSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-1">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} className="h-20 rounded-control" />
      ))}
    </SkeletonGroup>
  )
}
