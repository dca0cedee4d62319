import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { promotionQuery } from './queries'

/**
 * Requests or gives up a promoted place; shown at once, rolled back if refused. Errors:
 * plan_promoted.
 */
export function useSetPromotion(businessId: string, onChanged: () => void) {
  const client = useQueryClient()
  const { queryKey } = promotionQuery(businessId)
  return useMutation({
    mutationFn: async (isPromoted: boolean) =>
      unwrap(
        await db
          .from('businesses')
          .update({ is_promoted: isPromoted })
          .eq('id', businessId)
          .select('is_promoted')
          .single(),
      ).is_promoted,
    onMutate: async (isPromoted) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, isPromoted)
      return before
    },
    onSuccess: onChanged,
    onError: (_error, _wanted, before) => client.setQueryData(queryKey, before),
    onSettled: () => client.invalidateQueries({ queryKey }),
    // Two presses are sent in order.
    scope: { id: `promotion ${businessId}` },
  })
}
