import { useQuery } from '@tanstack/react-query'
import { plansQuery, subscriptionQuery } from '@/features/plans/api/queries'
import { type GatedFeature, limitsOf, planIncludes, planInForce } from '@/features/plans/model/plan'

/** What a user's plan allows, refetched as often as the subscription (SUB-04, SUB-08). */
export function usePlanLimits(userId: string, isAdmin: boolean) {
  const plans = useQuery({ ...plansQuery, enabled: !isAdmin })
  const standing = useQuery({ ...subscriptionQuery(userId), enabled: !isAdmin })
  const plan = plans.data && standing.data ? planInForce(plans.data, standing.data) : undefined
  // An unknown plan does not block the user: the database decides.
  const isUnknown = plan === undefined && (plans.isError || standing.isError)
  return {
    /** The plan is still loading. */
    isPending: !isAdmin && (plans.isPending || standing.isPending),
    isUnknown,
    limits: limitsOf(plan, isAdmin || isUnknown),
    /** Whether the plan has a feature (SUB-07). */
    has: (feature: GatedFeature) => isAdmin || isUnknown || planIncludes(plan, feature),
  }
}
