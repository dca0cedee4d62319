import { useQueryClient } from '@tanstack/react-query'
import { bookingsKeys } from '@/features/bookings/api/keys'
import { messageKeys } from '@/features/messages/api/keys'
import { notificationKeys } from '@/features/notifications/api/keys'
import { useLive } from '@/lib/live'

/** Keeps the user's notifications, messages and bookings up to date on all screens. */
export function useLiveAccount(userId: string): void {
  const client = useQueryClient()
  const refetch = (queryKey: readonly unknown[]) => () => client.invalidateQueries({ queryKey })
  const messages = { table: 'messages', refetch: refetch(messageKeys.all) } as const
  useLive(`account:${userId}`, [
    {
      table: 'notifications',
      filter: `user_id=eq.${userId}`,
      refetch: refetch(notificationKeys.all),
    },
    { ...messages, filter: `recipient_id=eq.${userId}` },
    { ...messages, filter: `sender_id=eq.${userId}` },
    {
      table: 'bookings',
      filter: `user_id=eq.${userId}`,
      refetch: refetch(bookingsKeys.user(userId)),
    },
  ])
}
