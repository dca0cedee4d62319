import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { useMarkAllRead } from '../api/mutations'
import { unreadCountQuery } from '../api/queries'
import { messages } from '../messages'

/** 'Mark all as read'; hidden if nothing is unread. */
export function MarkAllButton({ userId }: { userId: string }) {
  const { data: unread = 0 } = useQuery(unreadCountQuery(userId))
  const markAll = useMarkAllRead(userId)
  if (unread === 0) return null
  return (
    <Button variant="outline" pending={markAll.isPending} onClick={() => markAll.mutate()}>
      {messages.markAllRead}
    </Button>
  )
}
