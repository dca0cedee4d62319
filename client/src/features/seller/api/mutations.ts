import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { ApplicationForm } from '../model/application'
import { sellerKeys } from './keys'

/**
 * Sends an application (SELLER-01). The database sets its status. Errors: 23505 if one is already
 * in review, already_seller.
 */
export function useApply(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (form: ApplicationForm) =>
      unwrap(
        await db.from('seller_applications').insert({
          user_id: userId,
          business_name: form.businessName,
          business_type: form.businessType,
          business_description: form.description === '' ? null : form.description,
          location: form.location,
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: sellerKeys.all }),
  })
}
