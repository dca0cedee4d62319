import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { readSettings } from '../model/kind'
import { noticeKeys } from './keys'

/**
 * The mail settings of a user. An unsubscribe link may change them elsewhere, so they are
 * refetched.
 */
export const settingsQuery = (userId: string) =>
  queryOptions({
    queryKey: noticeKeys.settings(userId),
    staleTime: 0,
    queryFn: async ({ signal }) =>
      readSettings(
        unwrap(
          await db
            .from('notification_settings')
            .select('kind, by_mail')
            .eq('user_id', userId)
            .abortSignal(signal),
        ),
      ),
  })
