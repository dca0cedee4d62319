import { describe, expect, it } from 'vitest'
import {
  limitsOf,
  type Plan,
  planIncludes,
  planInForce,
  readCheckout,
  toPlan,
  yearlySaving,
} from './plan'

const row = {
  id: 'p1',
  tier: 'pro',
  name: 'Pro',
  description: null,
  price_monthly: 19,
  price_yearly: 190,
  analytics_access: true,
  logo_upload: false,
  promoted_listings: false,
  priority_support: true,
  max_businesses: 3,
  max_photos_per_business: 20,
  max_description_length: 1500,
}
const pro = toPlan(row)
const free: Plan = {
  ...toPlan({ ...row, id: 'p0', analytics_access: false, priority_support: false }),
  monthly: 0,
  yearly: 0,
  businesses: 1,
  descriptionLength: 500,
}

describe('SUB-08 CONST-02: limits', () => {
  it('are those of the plan', () => {
    expect(limitsOf(pro, false)).toEqual({ businesses: 3, photos: 20, descriptionLength: 1500 })
  })
  it('are the least without one', () => {
    expect(limitsOf(undefined, false)).toEqual({
      businesses: 1,
      photos: 5,
      descriptionLength: 500,
    })
  })
  it('do not hold for admins', () => {
    expect(limitsOf(pro, true).photos).toBeNull()
  })
})

describe('plans', () => {
  it('SUB-07: a plan opens what it has', () => {
    expect(pro.features).toEqual(['analytics', 'support'])
    expect(planIncludes(pro, 'analytics')).toBe(true)
    expect(planIncludes(pro, 'logo')).toBe(false)
    expect(planIncludes(pro, 'multiple_businesses')).toBe(true)
    expect(planIncludes(pro, 'extended_description')).toBe(true)
    expect(planIncludes(free, 'multiple_businesses')).toBe(false)
    expect(planIncludes(free, 'extended_description')).toBe(false)
    expect(planIncludes(undefined, 'analytics')).toBe(false)
  })
  it('the plan in force is the one bought, else the free one', () => {
    const bought = { planId: 'p1', planName: 'Pro', isSubscribed: true, end: null }
    expect(planInForce([free, pro], bought)).toBe(pro)
    expect(planInForce([free, pro], { ...bought, isSubscribed: false })).toBe(free)
    expect(planInForce([free], bought)).toBeUndefined()
  })
  it('a year saves what twelve months cost more', () => {
    expect(yearlySaving({ monthly: 19, yearly: 190 })).toBe(38)
    expect(yearlySaving({ monthly: 19.9, yearly: 199 })).toBe(39.8)
    expect(yearlySaving({ monthly: 10, yearly: 130 })).toBe(0)
  })
  it('reads how a checkout ended', () => {
    expect(readCheckout(new URLSearchParams('checkout=done'))).toBe('done')
    expect(readCheckout(new URLSearchParams('checkout=other'))).toBeUndefined()
  })
})
