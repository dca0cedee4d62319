import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { notificationKeys } from '../api/keys'
import { useMarkRead } from '../api/mutations'
import { newestQuery, unreadCountQuery } from '../api/queries'
import { messages } from '../messages'
import type { Notification } from '../model/notification'

/**
 * Shows toasts for notifications that arrive while the app is open, with links (UI-04, CONST-18).
 */
export function Arrivals({ userId }: { userId: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const markRead = useMarkRead(userId)
  const { data: unread } = useQuery(unreadCountQuery(userId))
  const fetched = useFetchedCount(userId, unread)
  const known = useRef(fetched)

  const show = useEffectEvent((item: Notification) => {
    const { id, title, content, link } = item
    toast(title, {
      id,
      description: content,
      ...(link !== null && {
        action: {
          label: messages.open,
          onClick: () => {
            markRead.mutate(id)
            void navigate(link)
          },
        },
      }),
    })
  })
  useEffect(() => {
    const before = known.current
    known.current = fetched
    if (before === undefined || fetched === undefined || fetched <= before) return
    // The bell reports failures, since it fetches the same data.
    client.fetchQuery(newestQuery(userId)).then(
      (newest) => {
        const arrived = newest.filter(({ isRead }) => !isRead).slice(0, fetched - before)
        for (const item of arrived.reverse()) show(item)
      },
      () => undefined,
    )
  }, [client, userId, fetched])
  return null
}

/**
 * Returns the number that the server has counted last: one that the client has changed and restored
 * is no arrival.
 */
function useFetchedCount(userId: string, cached: number | undefined): number | undefined {
  const client = useQueryClient()
  const [count, setCount] = useState(cached)
  useEffect(() => {
    const hash = hashKey(notificationKeys.unread(userId))
    return client.getQueryCache().subscribe(({ type, query, ...event }) => {
      if (type !== 'updated' || query.queryHash !== hash || !('action' in event)) return
      if (event.action.type === 'success' && !event.action.manual) setCount(query.state.data)
    })
  }, [client, userId])
  return count
}
