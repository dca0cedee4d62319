import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { toAppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { alertMessages } from '../alert-messages'
import { searchKeys } from './keys'

/** The terms of an alert; filters are not part of it. */
export type AlertTerms = { findDesc: string; findLoc: string; category: string }

const most = 50
// SQLSTATE unique_violation: the alert already exists, which is the desired result.
const alreadyThere = '23505'

/** The user's search alerts that have not matched yet. */
export const alertsQuery = (userId: string) =>
  queryOptions({
    queryKey: searchKeys.alerts(userId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('search_alerts')
          .select('id, find_desc, find_loc, category')
          .is('notified_at', null)
          .order('created_at', { ascending: false })
          .limit(most)
          .abortSignal(signal),
      ),
    staleTime: 0,
  })

async function saveAlert({ findDesc, findLoc, category }: AlertTerms): Promise<void> {
  const { error, status } = await db.from('search_alerts').insert({
    find_desc: findDesc || null,
    find_loc: findLoc || null,
    category: category || null,
  })
  if (error && error.code !== alreadyThere) throw toAppError(error, status)
}

/** Creates an alert for a search, or deletes the one with the given id. */
export function useSetAlert(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (what: AlertTerms | { id: string }) => {
      if ('id' in what) unwrap(await db.from('search_alerts').delete().eq('id', what.id))
      else await saveAlert(what)
    },
    // A running fetch would return an outdated list.
    onMutate: () => client.cancelQueries({ queryKey: searchKeys.alerts(userId) }),
    onError: (error) => {
      const isFull = toAppError(error).code === 'too_many_search_alerts'
      showToast({
        title: alertMessages.failed,
        text: isFull ? alertMessages.tooMany : alertMessages.failedText,
        tone: 'danger',
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: searchKeys.alerts(userId) }),
  })
}
