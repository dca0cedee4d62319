import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { type Notification, toNotification } from '../model/notification'
import { notificationKeys } from './keys'

const minute = 60_000

/** Number of notifications in the header's panel. */
const newestCount = 5
/** Number of notifications per request of the page. */
const notificationPageSize = 20

// Refetched when notifications change (app/layouts/use-live-account.ts).
const live = { staleTime: minute, refetchOnWindowFocus: true } as const

/** The number of unread notifications. */
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
    ...live,
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

/** The latest few, for the header's panel; fetched when it is opened. */
export const newestQuery = (userId: string) =>
  queryOptions({
    queryKey: notificationKeys.newest(userId),
    queryFn: ({ signal }) => readNotifications(userId, [0, newestCount], signal),
    staleTime: 0,
  })

/** All notifications, newest first (NOTIF-02). */
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
    ...live,
  })
