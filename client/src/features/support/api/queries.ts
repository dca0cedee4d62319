import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { toAppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Ticket } from '../model/ticket'
import { supportKeys } from './keys'

/** Number of questions per request. */
const pageSize = 10
const columns = 'id, subject, message, is_priority, answer, answered_at, created_at'
// SQLSTATE invalid_text_representation: the URL contains an invalid id.
const noId = '22P02'

/** The user's questions, the newest first. */
export const ticketsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: supportKeys.list(userId),
    queryFn: async ({ signal, pageParam }) => {
      const items: Ticket[] = unwrap(
        await db
          .from('support_tickets')
          .select(columns)
          .eq('user_id', userId)
          .order('created_at', { ascending: false })
          .order('id')
          .range(pageParam, pageParam + pageSize - 1)
          .abortSignal(signal),
      )
      return { items, next: items.length < pageSize ? null : pageParam + pageSize }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    refetchOnWindowFocus: true,
  })

/** The current state of a question; null if it is not the user's own. */
export const ticketQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: supportKeys.one(userId, id),
    queryFn: async ({ signal }): Promise<Ticket | null> => {
      try {
        return unwrap(
          await db
            .from('support_tickets')
            .select(columns)
            .eq('user_id', userId)
            .eq('id', id)
            .abortSignal(signal)
            .maybeSingle(),
        )
      } catch (error) {
        if (toAppError(error).code === noId) return null
        throw error
      }
    },
    staleTime: 0,
  })
