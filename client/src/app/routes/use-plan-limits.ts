import { useQuery } from '@tanstack/react-query'
import { plansQuery, subscriptionQuery } from '@/features/plans/api/queries'
import { type GatedFeature, limitsOf, opens, planInForce } from '@/features/plans/model/plan'

/** What somebody's plan allows, re-checked as the subscription is (SUB-04, SUB-08). */
export function usePlanLimits(userId: string, isAdmin: boolean) {
  const plans = useQuery({ ...plansQuery, enabled: !isAdmin })
  const standing = useQuery({ ...subscriptionQuery(userId), enabled: !isAdmin })
  const plan = plans.data && standing.data ? planInForce(plans.data, standing.data) : undefined
  // What cannot be known does not hold anybody up: the database decides.
  const isUnknown = plan === undefined && (plans.isError || standing.isError)
  return {
    /** The plan is not known yet, nor that it cannot be. */
    isPending: !isAdmin && (plans.isPending || standing.isPending),
    isUnknown,
    limits: limitsOf(plan, isAdmin || isUnknown),
    /** Whether the plan has a feature (SUB-07). */
    has: (feature: GatedFeature) => isAdmin || isUnknown || opens(plan, feature),
  }
}
