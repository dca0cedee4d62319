import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
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
  const known = useRef(unread)

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
    known.current = unread
    if (before === undefined || unread === undefined || unread <= before) return
    // The bell reports failures, since it fetches the same data.
    client.fetchQuery(newestQuery(userId)).then(
      (newest) => {
        const arrived = newest.filter(({ isRead }) => !isRead).slice(0, unread - before)
        for (const item of arrived.reverse()) show(item)
      },
      () => undefined,
    )
  }, [client, userId, unread])
  return null
}
