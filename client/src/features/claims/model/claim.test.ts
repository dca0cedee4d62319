import { expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { claimRefusal, claimSchema } from './claim'

const whole = { fullName: ' Ona ', email: 'ona@shop.es', role: 'Owner', method: 'email_domain' }

it('a claim is whole', () => {
  expect(claimSchema.parse(whole).fullName).toBe('Ona')
  for (const broken of [
    { fullName: ' ' },
    { fullName: 'x'.repeat(101) },
    { email: 'ona' },
    { role: '' },
    { method: 'trust_me' },
  ]) {
    expect(claimSchema.safeParse({ ...whole, ...broken }).success).toBe(false)
  }
})

it('a refusal in words', () => {
  expect(claimRefusal(new AppError('23505', 'raw words', { status: 409 }))).toMatch(/^You have/)
  expect(claimRefusal(new TypeError('Failed to fetch'))).toMatch(/^You seem to be offline/)
})
