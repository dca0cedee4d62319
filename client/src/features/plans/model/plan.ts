import type { Database } from '@/types/database.gen'

/** What can be bought, with what it allows. Prices are in the currency of the installation. */
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

/** What a plan opens beside higher limits (SUB-07). */
type PlanFeature = 'analytics' | 'logo' | 'promoted' | 'support'

export type BillingPeriod = 'monthly' | 'yearly'

/** How one's subscription stands (SUB-03). */
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

/** What the documents name as gated; every other feature is allowed (SUB-07). */
export type GatedFeature = PlanFeature | 'multiple_businesses' | 'extended_description'

/** Descriptions longer than this are what "extended" means (SUB-07, SUB-08). */
const plainDescription = 500

/** Whether a plan opens a feature; without a plan none of the gated ones is. */
export function opens(plan: Plan | undefined, feature: GatedFeature): boolean {
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

/** The plan that is in force: the one bought, else the one that costs nothing. */
export function planInForce(plans: readonly Plan[], subscription: Subscription): Plan | undefined {
  return subscription.isSubscribed
    ? plans.find(({ id }) => id === subscription.planId)
    : plans.find(({ monthly }) => monthly === 0)
}

/** What is allowed without a plan (SUB-08, CONST-02). */
const defaultLimits = { businesses: 1, photos: 5, descriptionLength: plainDescription }

export type Limits = Record<keyof typeof defaultLimits, number | null>

/** What somebody may have; null is no limit. Admins have none, as in the database. */
export function limitsOf(plan: Plan | undefined, isUnlimited: boolean): Limits {
  if (isUnlimited) return { businesses: null, photos: null, descriptionLength: null }
  const { businesses, photos, descriptionLength } = plan ?? defaultLimits
  return { businesses, photos, descriptionLength }
}

/** What a year costs less than twelve months; 0 where it does not. */
export function yearlySaving({ monthly, yearly }: Pick<Plan, 'monthly' | 'yearly'>): number {
  return Math.max(0, Math.round((monthly * 12 - yearly) * 100) / 100)
}

/** What the address says of a checkout that led back here. */
export function readCheckout(params: URLSearchParams): 'done' | 'cancelled' | undefined {
  const value = params.get('checkout')
  return value === 'done' || value === 'cancelled' ? value : undefined
}
