import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { messages } from '../messages'
import type { Notification } from '../model/notification'
import { notificationKeys } from './keys'

type Pages = InfiniteData<{ items: Notification[]; next: number | null }, number>

// The cached data before a change, which a refusal restores.
type Before = {
  unread: number | undefined
  newest: Notification[] | undefined
  list: Pages | undefined
}

async function changeCached(
  client: QueryClient,
  userId: string,
  change: (item: Notification) => Notification,
  unreadAfter: (before: number) => number,
): Promise<Before> {
  await client.cancelQueries({ queryKey: notificationKeys.all })
  const before: Before = {
    unread: client.getQueryData(notificationKeys.unread(userId)),
    newest: client.getQueryData(notificationKeys.newest(userId)),
    list: client.getQueryData(notificationKeys.list(userId)),
  }
  restore(client, userId, {
    unread: before.unread === undefined ? undefined : unreadAfter(before.unread),
    newest: before.newest?.map(change),
    list: before.list && {
      ...before.list,
      pages: before.list.pages.map((page) => ({ ...page, items: page.items.map(change) })),
    },
  })
  return before
}

function restore(client: QueryClient, userId: string, { unread, newest, list }: Before): void {
  client.setQueryData(notificationKeys.unread(userId), unread)
  client.setQueryData(notificationKeys.newest(userId), newest)
  client.setQueryData(notificationKeys.list(userId), list)
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
    onError: (_error, _what, before) => {
      if (before) restore(client, userId, before)
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
