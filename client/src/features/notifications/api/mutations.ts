import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { changePages } from '@/lib/change-pages'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import type { Notification } from '../model/notification'
import { notificationKeys } from './keys'

type Pages = InfiniteData<{ items: Notification[]; next: number | null }, number>

// Changes the cached data, and returns a function that a refusal undoes that with.
async function changeCached(
  client: QueryClient,
  userId: string,
  change: (item: Notification) => Notification,
  unreadAfter: (before: number) => number,
): Promise<() => void> {
  const [unreadKey, newestKey] = [notificationKeys.unread(userId), notificationKeys.newest(userId)]
  await client.cancelQueries({ queryKey: unreadKey })
  await client.cancelQueries({ queryKey: newestKey })
  const unread = client.getQueryData<number>(unreadKey)
  const newest = client.getQueryData<Notification[]>(newestKey)
  client.setQueryData(unreadKey, unread === undefined ? undefined : unreadAfter(unread))
  client.setQueryData(newestKey, newest?.map(change))
  const undoList = await changePages<Pages>(client, notificationKeys.list(userId), (list) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, items: page.items.map(change) })),
  }))
  return () => {
    client.setQueryData(unreadKey, unread)
    client.setQueryData(newestKey, newest)
    undoList()
  }
}

function useMark<V>(
  userId: string,
  write: (what: V) => Promise<unknown>,
  concerns: (item: Notification, what: V) => boolean,
  unreadAfter: (before: number) => number,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onMutate: (what: V) =>
      changeCached(
        client,
        userId,
        (item) => (concerns(item, what) ? { ...item, isRead: true } : item),
        unreadAfter,
      ),
    onError: (_error, _what, undo) => {
      undo?.()
      showToast({ title: messages.markFailed, tone: 'danger' })
    },
    // A page that is being fetched is not discarded for it.
    onSettled: () =>
      client.invalidateQueries({ queryKey: notificationKeys.all }, { cancelRefetch: false }),
  })
}

/**
 * Marks a notification as read: shown at once, rolled back on failure (NOTIF-03, NOTIF-04, ERR-23).
 */
export function useMarkRead(userId: string) {
  return useMark(
    userId,
    async (id: string) =>
      unwrap(await db.from('notifications').update({ read: true }).eq('id', id)),
    (item, id) => item.id === id,
    (unread) => Math.max(0, unread - 1),
  )
}

/** Marks all unread notifications of the user as read (NOTIF-04). */
export function useMarkAllRead(userId: string) {
  return useMark<void>(
    userId,
    async () => {
      unwrap(
        await db
          .from('notifications')
          .update({ read: true })
          .eq('user_id', userId)
          .eq('read', false),
      )
      showToast({ title: messages.allMarked, tone: 'success' })
    },
    () => true,
    () => 0,
  )
}
