import { expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { claimRefusal, claimSchema, claimSchemaOf, isPossible, mailHost } from './claim'

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
  expect(claimRefusal(new TypeError('Failed to fetch'))).toMatch(/^Plaza cannot be reached/)
})

it('ADMIN-CLAIM-11: a code is mailed to an address at the domain of the website', () => {
  const schema = claimSchemaOf({ website: 'https://www.Shop.es/contact', phone: null })
  expect(schema.safeParse({ ...whole, email: 'ona@SHOP.es' }).success).toBe(true)
  const refused = schema.safeParse({ ...whole, email: 'ona@myshop.es' })
  expect(refused.error?.issues).toMatchObject([{ path: ['email'] }])
  const byDocument = { ...whole, email: 'ona@gmail.com', method: 'document_upload' }
  expect(schema.safeParse(byDocument).success).toBe(true)
  expect(mailHost(null)).toBeNull()
})

it('ADMIN-CLAIM-11: a way is there where the business publishes what it needs', () => {
  const shop = { website: null, phone: '800 111 222' }
  expect(isPossible('email_domain', shop)).toBe(false)
  expect(isPossible('phone_verification', shop)).toBe(false)
  expect(isPossible('phone_verification', { ...shop, phone: '+376 800 111' })).toBe(true)
  expect(isPossible('document_upload', shop)).toBe(true)
})
