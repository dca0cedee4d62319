import { expect, it } from 'vitest'
import { formMessages as messages } from '../form-messages'
import { applicationSchema } from './application'
import { stateOf } from './state'

const good = { businessName: 'Surf', businessType: 'School', location: 'Cádiz', description: '' }

it('SELLER-01: an application is trimmed and bounded as the table is', () => {
  expect(applicationSchema.parse({ ...good, businessName: '  Surf ' })).toEqual(good)
  const wrong = {
    businessName: ' x ',
    businessType: 'x'.repeat(101),
    location: 'x'.repeat(201),
    description: 'x'.repeat(2001),
  }
  const issues = applicationSchema.safeParse(wrong).error?.issues.map((issue) => issue.message)
  expect(issues).toEqual([
    messages.nameShort,
    messages.typeLong,
    messages.locationLong,
    messages.descriptionLong,
  ])
})

it('SELLER-02: a status that is not known counts as in review', () => {
  expect(stateOf(null)).toBe('none')
  expect(stateOf({ status: 'rejected' })).toBe('rejected')
  expect(stateOf({ status: 'other' })).toBe('pending')
})
