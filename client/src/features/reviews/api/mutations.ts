import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { reviewKeys } from './keys'

/**
 * Answers a review for its business (METRICS-37, C-59).
 *
 * Errors: 23505 when it has a response already, 42501 to anybody but the owner.
 */
export function useRespond(businessId: string, reviewId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (content: string) =>
      unwrap(await db.from('review_responses').insert({ review_id: reviewId, content })),
    onSuccess: () => client.invalidateQueries({ queryKey: reviewKeys.of(businessId) }),
  })
}
