import { queryOptions } from '@tanstack/react-query'
import { toAppError, unwrap } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'
import { documentBucket, folderOf, nameOf } from '../model/document'
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
    queryFn: async ({ signal }) => {
      const { storage } = await loadSupabase()
      const { data, error } = await storage
        .from(documentBucket)
        .list(
          folderOf(userId, claimId),
          { sortBy: { column: 'created_at', order: 'asc' } },
          { signal },
        )
      if (error) throw toAppError(error)
      return data.map(({ name }) => ({
        key: `${folderOf(userId, claimId)}/${name}`,
        name: nameOf(name),
      }))
    },
    staleTime: 0,
  })

export type ClaimDocument = { key: string; name: string }
