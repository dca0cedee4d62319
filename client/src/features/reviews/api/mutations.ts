import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { ReviewValues } from '../model/review'
import { reviewKeys } from './keys'

/**
 * Responds to a review for its business (METRICS-37, C-59). Errors: 23505 if it already has a
 * response, 42501 for anybody but the owner.
 */
export function useRespond(businessId: string, reviewId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (content: string) =>
      unwrap(await db.from('review_responses').insert({ review_id: reviewId, content })),
    // Not awaited: the calling component is unmounted by the refetch, and could not show the
    // result.
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: reviewKeys.of(businessId) })
    },
  })
}

/**
 * Creates or updates the user's review of a business (RULE-20). Errors: no_completed_booking,
 * own_business, too_many_reviews, review_closed after 30 days; 23505 if another window was faster.
 */
export function useSaveReview(userId: string, businessId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, values }: { id: string | null; values: ReviewValues }) => {
      const row = { rating: Number(values.rating), comment: values.comment || null }
      unwrap(
        id === null
          ? await db.from('reviews').insert({ ...row, business_id: businessId, user_id: userId })
          : await db.from('reviews').update(row).eq('id', id).select('id').single(),
      )
    },
    onSuccess: () => client.invalidateQueries({ queryKey: reviewKeys.of(businessId) }),
  })
}
