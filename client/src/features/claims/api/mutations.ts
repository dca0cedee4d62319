import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { ClaimForm } from '../model/claim'
import { claimKeys } from './keys'

/**
 * Sends a claim for a business without an owner; an admin decides it. Errors: business_has_owner,
 * too_many_claims, 23505 if one is already open.
 */
export function useSendClaim(businessId: string, userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ fullName, email, role, method }: ClaimForm) =>
      unwrap(
        await db.from('claim_requests').insert({
          user_id: userId,
          business_id: businessId,
          full_name: fullName,
          business_email: email,
          role_at_company: role,
          verification_method: method,
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: claimKeys.all }),
  })
}
