import { queryOptions } from '@tanstack/react-query'
import { readDocuments } from '@/lib/claim-documents'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { claimKeys } from './keys'

/** The user's latest claim of a business; null if there is none. */
export const ownClaimQuery = (businessId: string, userId: string) =>
  queryOptions({
    queryKey: claimKeys.own(businessId, userId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('claim_requests')
          .select('id, status, verification_method, admin_notes, verified_at')
          .eq('business_id', businessId)
          .eq('user_id', userId)
          .order('submitted_at', { ascending: false })
          .limit(1)
          .abortSignal(signal)
          .maybeSingle(),
      ),
    staleTime: 0,
  })

export type OwnClaim = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof ownClaimQuery>['queryFn']>>>
>

/** The documents of a claim, the oldest first. */
export const documentsQuery = (userId: string, claimId: string) =>
  queryOptions({
    queryKey: claimKeys.documents(claimId),
    queryFn: ({ signal }) => readDocuments(userId, claimId, signal),
    staleTime: 0,
  })
