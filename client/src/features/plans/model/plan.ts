import type { Database } from '@/types/database.gen'

/** A plan and what it includes. Prices are in the configured currency. */
export type Plan = {
  id: string
  tier: string
  name: string
  description: string
  monthly: number
  yearly: number
  businesses: number
  photos: number
  descriptionLength: number
  features: readonly PlanFeature[]
}

/** Features of a plan in addition to higher limits (SUB-07). */
type PlanFeature = 'analytics' | 'logo' | 'promoted' | 'support'

export type BillingPeriod = 'monthly' | 'yearly'

/** The state of the user's subscription (SUB-03). */
export type Subscription = {
  planId: string | null
  planName: string | null
  isSubscribed: boolean
  end: string | null
}

export type PlanRow = Pick<
  Database['public']['Tables']['subscription_plans']['Row'],
  | 'id'
  | 'tier'
  | 'name'
  | 'description'
  | 'price_monthly'
  | 'price_yearly'
  | 'analytics_access'
  | 'logo_upload'
  | 'promoted_listings'
  | 'priority_support'
  | 'max_businesses'
  | 'max_photos_per_business'
  | 'max_description_length'
>

export function toPlan(row: PlanRow): Plan {
  const features: [boolean, PlanFeature][] = [
    [row.analytics_access, 'analytics'],
    [row.logo_upload, 'logo'],
    [row.promoted_listings, 'promoted'],
    [row.priority_support, 'support'],
  ]
  return {
    id: row.id,
    tier: row.tier,
    name: row.name,
    description: row.description ?? '',
    monthly: row.price_monthly,
    yearly: row.price_yearly,
    businesses: row.max_businesses,
    photos: row.max_photos_per_business,
    descriptionLength: row.max_description_length,
    features: features.filter(([has]) => has).map(([, feature]) => feature),
  }
}

/** The features that the requirements restrict; all others are available to everybody (SUB-07). */
export type GatedFeature = PlanFeature | 'multiple_businesses' | 'extended_description'

/** Longer descriptions count as "extended" (SUB-07, SUB-08). */
const plainDescription = 500

/** Reports whether a plan includes a feature; without a plan no restricted feature is available. */
export function planIncludes(plan: Plan | undefined, feature: GatedFeature): boolean {
  if (plan === undefined) return false
  switch (feature) {
    case 'multiple_businesses':
      return plan.businesses > 1
    case 'extended_description':
      return plan.descriptionLength > plainDescription
    default:
      return plan.features.includes(feature)
  }
}

/** Returns the plan in force: the one bought, otherwise the free one. */
export function planInForce(plans: readonly Plan[], subscription: Subscription): Plan | undefined {
  return subscription.isSubscribed
    ? plans.find(({ id }) => id === subscription.planId)
    : plans.find(({ monthly }) => monthly === 0)
}

/** The limits without a plan (SUB-08, CONST-02). */
const defaultLimits = { businesses: 1, photos: 5, descriptionLength: plainDescription }

export type Limits = Record<keyof typeof defaultLimits, number | null>

/** Returns a user's limits; null means no limit. Admins have none, as in the database. */
export function limitsOf(plan: Plan | undefined, isUnlimited: boolean): Limits {
  if (isUnlimited) return { businesses: null, photos: null, descriptionLength: null }
  const { businesses, photos, descriptionLength } = plan ?? defaultLimits
  return { businesses, photos, descriptionLength }
}

/** Returns how much a year is cheaper than twelve months; 0 if it is not. */
export function yearlySaving({ monthly, yearly }: Pick<Plan, 'monthly' | 'yearly'>): number {
  return Math.max(0, Math.round((monthly * 12 - yearly) * 100) / 100)
}

/** Returns the checkout result in the URL. */
export function readCheckout(params: URLSearchParams): 'done' | 'cancelled' | undefined {
  const value = params.get('checkout')
  return value === 'done' || value === 'cancelled' ? value : undefined
}
