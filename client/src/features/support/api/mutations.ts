import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { storeDraft } from '../model/draft'
import { emptyTicket, isAmong, mayBeStored, type TicketForm } from '../model/ticket'
import { supportKeys } from './keys'

/** Maximum number of a user's unanswered questions; enforced by the database. */
const maxOpen = 10

async function isStored(userId: string, typed: TicketForm): Promise<boolean> {
  const open = unwrap(
    await db
      .from('support_tickets')
      .select('subject, message')
      .eq('user_id', userId)
      .is('answer', null)
      .limit(maxOpen),
  )
  return isAmong(open, typed)
}

/**
 * Sends a question to the administrators. If it is repeated because there was no response, it is
 * stored once. Errors: too_many_tickets.
 */
export function useSendTicket(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ typed, before }: { typed: TicketForm; before: Error | null }) => {
      if (before !== null && mayBeStored(before) && (await isStored(userId, typed))) return
      unwrap(await db.from('support_tickets').insert(typed))
    },
    // Without a connection it fails at once with a message instead of waiting. Handled here and not
    // in the form, which may be unmounted by then.
    onSuccess: () => {
      storeDraft(userId, emptyTicket)
      return client.invalidateQueries({ queryKey: supportKeys.of(userId) })
    },
  })
}
