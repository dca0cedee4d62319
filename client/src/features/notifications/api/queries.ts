import { queryOptions } from '@tanstack/react-query'
import { unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { notificationKeys } from './keys'

const minute = 60_000

/** How many notifications wait unread. Asked again every minute, because nothing pushes yet. */
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
    staleTime: minute,
    refetchInterval: minute,
  })
