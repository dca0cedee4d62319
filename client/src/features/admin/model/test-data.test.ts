import { describe, expect, it } from 'vitest'
import { amountsOf, amountsText, intensities } from './test-data'

describe('test data', () => {
  it('names what an intensity makes (SEED-01)', () => {
    expect(amountsText(intensities.standard)).toBe(
      '5 profiles, 5 businesses, 15 reviews, 15 bookings, 10 reports',
    )
  })
  it('leaves out what is zero and counts one', () => {
    expect(amountsText({ reports: 0, businesses: 1, profiles: 1 })).toBe('1 profile, 1 business')
    expect(amountsText({})).toBe('')
  })
  it('reads the rows of the database in any order', () => {
    const rows = [
      { what: 'reports', amount: 10 },
      { what: 'claim_requests', amount: 3 },
      { what: 'profiles', amount: 1000 },
    ]
    expect(amountsText(amountsOf(rows))).toBe('1,000 profiles, 10 reports')
  })
})
