import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { unwrapCounted } from '@/lib/errors'
import { useLive } from '@/lib/live'
import { db } from '@/lib/supabase'
import { adminKeys } from './keys'

const counted = { count: 'exact' } as const

/** How many claims, applications, reports and support requests wait for an admin. */
export const queueQuery = queryOptions({
  queryKey: adminKeys.queue,
  queryFn: async ({ signal }) => {
    const [claims, applications, reports, support] = await Promise.all([
      db
        .from('claim_requests')
        .select('id', counted)
        .eq('status', 'pending')
        .limit(1)
        .abortSignal(signal),
      db
        .from('seller_applications')
        .select('id', counted)
        .eq('status', 'pending')
        .limit(1)
        .abortSignal(signal),
      db.from('reports').select('id', counted).eq('status', 'pending').limit(1).abortSignal(signal),
      db
        .from('support_tickets')
        .select('id', counted)
        .is('answer', null)
        .limit(1)
        .abortSignal(signal),
    ])
    return {
      claims: unwrapCounted(claims).total,
      applications: unwrapCounted(applications).total,
      reports: unwrapCounted(reports).total,
      support: unwrapCounted(support).total,
    }
  },
  staleTime: 0,
})

/** Keeps queueQuery up to date. */
export function useLiveQueue(): void {
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: adminKeys.queue })
  useLive('admin-queue', [
    { table: 'claim_requests', refetch },
    { table: 'seller_applications', refetch },
    { table: 'reports', refetch },
    { table: 'support_tickets', refetch },
  ])
}
