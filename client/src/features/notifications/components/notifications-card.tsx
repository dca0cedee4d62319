import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Widget } from '@/components/widget'
import { paths } from '@/lib/paths'
import { useMarkRead } from '../api/mutations'
import { newestQuery } from '../api/queries'
import { messages } from '../messages'
import { NotificationItem } from './notification-item'

/** Number of notifications on the dashboard (DASH-04, CONST-17). */
const shownCount = 3

/** The latest notifications, and a link to all of them if there are more. */
export function NotificationsCard({ userId }: { userId: string }) {
  const query = useQuery(newestQuery(userId))
  const markRead = useMarkRead(userId)
  const now = new Date()
  const hasMore = (query.data?.length ?? 0) > shownCount
  return (
    <Widget
      title={messages.title}
      action={
        hasMore ? (
          <ButtonLink to={paths.notifications} variant="outline">
            {messages.viewAll}
          </ButtonLink>
        ) : undefined
      }
    >
      <QueryState
        query={query}
        errorTitle={messages.error}
        pending={
          <SkeletonGroup label={messages.pending} className="grid gap-1">
            <Skeleton className="h-20 rounded-control" />
            <Skeleton className="h-20 rounded-control" />
            <Skeleton className="h-20 rounded-control" />
          </SkeletonGroup>
        }
        isEmpty={(items) => items.length === 0}
        empty={
          <p className="text-muted">
            {messages.empty}. {messages.emptyText}
          </p>
        }
      >
        {(items) => (
          <ul className="-mx-3 grid gap-1">
            {items.slice(0, shownCount).map((item) => (
              <li key={item.id}>
                <NotificationItem
                  item={item}
                  now={now}
                  onFollow={({ id, isRead }) => {
                    if (!isRead) markRead.mutate(id)
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Widget>
  )
}
