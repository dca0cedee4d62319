import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { type Notification, toNotification } from '../model/notification'
import { notificationKeys } from './keys'

const minute = 60_000

/** How many notifications the bell shows. */
const newestCount = 5
/** How many one request of the page brings. */
const notificationPageSize = 20

// Nothing pushes yet, so it is asked every minute, while the page is looked at.
const polled = { staleTime: minute, refetchInterval: minute, refetchOnWindowFocus: true } as const

/** How many notifications wait unread. */
export const unreadCountQuery = (userId: string) =>
  queryOptions({
    queryKey: notificationKeys.unread(userId),
    queryFn: async ({ signal }) => {
      const { total } = unwrapCounted(
        await db
          .from('notifications')
          .select('id', { count: 'exact' })
          .eq('user_id', userId)
          .eq('read', false)
          .limit(1)
          .abortSignal(signal),
      )
      return total
    },
    ...polled,
  })

async function readNotifications(
  userId: string,
  [from, count]: [number, number],
  signal: AbortSignal,
): Promise<Notification[]> {
  const rows = unwrap(
    await db
      .from('notifications')
      .select('id, type, title, content, link, read, created_at')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('id')
      .range(from, from + count - 1)
      .abortSignal(signal),
  )
  return rows.map(toNotification)
}

/** The newest few, for the bell; asked for when it is opened. */
export const newestQuery = (userId: string) =>
  queryOptions({
    queryKey: notificationKeys.newest(userId),
    queryFn: ({ signal }) => readNotifications(userId, [0, newestCount], signal),
    staleTime: 0,
  })

/** All of them, newest first (NOTIF-02). */
export const notificationsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(userId),
    queryFn: async ({ signal, pageParam }) => {
      const items = await readNotifications(userId, [pageParam, notificationPageSize], signal)
      return {
        items,
        next: items.length < notificationPageSize ? null : pageParam + notificationPageSize,
      }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    ...polled,
  })
