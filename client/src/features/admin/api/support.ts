import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { AppError, unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import { containing, readState } from '../model/ticket'
import { adminKeys } from './keys'
import { sharedList } from './list-options'

const columns =
  'id, subject, message, is_priority, answer, answered_at, created_at, writer:profiles(full_name)'

function request({ search, filters }: ListState) {
  const all = db.from('support_tickets').select(columns, { count: 'exact' })
  const found = search === '' ? all : all.ilike('subject', containing(search))
  const state = readState(filters.state ?? '')
  if (state === null) return found
  return state === 'open' ? found.is('answer', null) : found.not('answer', 'is', null)
}

/**
 * A page of the questions to the administrators, in queue order: unanswered ones first, of these
 * the ones with priority, then the oldest; then the answered ones, the most recently answered
 * first.
 */
export const ticketsQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('support', list),
    queryFn: ({ signal }) =>
      readPage(list.page, adminPageSize, (from, to) =>
        request(list)
          .order('answered_at', { ascending: false, nullsFirst: true })
          .order('is_priority', { ascending: false })
          .order('created_at')
          .order('id')
          .range(from, to)
          .abortSignal(signal),
      ),
    ...sharedList,
  })

export type AdminTicket = Awaited<
  ReturnType<NonNullable<ReturnType<typeof ticketsQuery>['queryFn']>>
>['rows'][number]

/**
 * Answers a question, once and finally; its author is notified. Errors: already_answered, PGRST116.
 */
export function useAnswer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, answer }: { id: string; answer: string }) => {
      const rows = unwrap(
        await db.from('support_tickets').update({ answer }).eq('id', id).select('id'),
      )
      if (rows.length === 0) throw new AppError('PGRST116', 'no such question', { status: 404 })
    },
    // Without a connection it fails at once with a message instead of waiting.
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.tab('support') }),
  })
}
