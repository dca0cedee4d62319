import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '@/lib/call-function'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { type Plan, type Subscription, toPlan } from '../model/plan'
import { planKeys } from './keys'

/** The active plans, the cheapest first (SUB-02, API-09). */
export const plansQuery = queryOptions({
  queryKey: planKeys.list(),
  queryFn: async ({ signal }): Promise<Plan[]> => {
    const rows = unwrap(
      await db
        .from('subscription_plans')
        .select(
          'id, tier, name, description, price_monthly, price_yearly, analytics_access, logo_upload, promoted_listings, priority_support, max_businesses, max_photos_per_business, max_description_length',
        )
        .eq('is_active', true)
        .order('price_monthly', { ascending: true })
        .abortSignal(signal),
    )
    return rows.map(toPlan)
  },
})

/** How often the subscription is refetched (SUB-04, CONST-02). */
const recheckMs = 30_000
/** How often it is refetched while a payment is being confirmed. */
const confirmMs = 2_000

type CheckAnswer = {
  plan_id: string | null
  plan_name: string | null
  subscribed: boolean
  subscription_end: string | null
}

/** The state of the user's subscription (SUB-03, FN-01). */
export const subscriptionQuery = (userId: string, isConfirming = false) =>
  queryOptions({
    queryKey: planKeys.subscription(userId),
    queryFn: async (): Promise<Subscription> => {
      const answer = await callFunction<CheckAnswer>('check-subscription')
      return {
        planId: answer.plan_id,
        planName: answer.plan_name,
        isSubscribed: answer.subscribed,
        end: answer.subscription_end,
      }
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: isConfirming ? confirmMs : recheckMs,
  })
