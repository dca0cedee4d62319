import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { keepDraft } from '../model/draft'
import { emptyTicket, isAmong, mayBeStored, type TicketForm } from '../model/ticket'
import { supportKeys } from './keys'

/** How many questions of one person may wait for an answer; the database counts them. */
const mostOpen = 10

async function isStored(userId: string, typed: TicketForm): Promise<boolean> {
  const open = unwrap(
    await db
      .from('support_tickets')
      .select('subject, message')
      .eq('user_id', userId)
      .is('answer', null)
      .limit(mostOpen),
  )
  return isAmong(open, typed)
}

/**
 * Asks the administrators. Sent again, for want of an answer of the server, it is stored once.
 *
 * Errors: too_many_tickets.
 */
export function useSendTicket(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ typed, before }: { typed: TicketForm; before: Error | null }) => {
      if (before !== null && mayBeStored(before) && (await isStored(userId, typed))) return
      unwrap(await db.from('support_tickets').insert(typed))
    },
    // Without a connection it fails at once and says so, instead of waiting for one.
    // Here and not where it was written: that may be gone by then.
    onSuccess: () => {
      keepDraft(userId, emptyTicket)
      return client.invalidateQueries({ queryKey: supportKeys.of(userId) })
    },
  })
}
