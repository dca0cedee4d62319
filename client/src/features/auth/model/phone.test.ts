import { describe, expect, it } from 'vitest'
import { messages } from '../messages'
import { normalPhone, phoneSchema } from './phone'

describe('a phone number', () => {
  it.each([
    ['+34 600 12 34 56', '+34600123456'],
    ['600 123 456', '+34600123456'],
    ['0034 600-123-456', '+34600123456'],
    ['+376 312 345', '+376312345'],
    ['(91) 234.56.78', '+34912345678'],
  ])('%s is %s', (typed, stored) => {
    expect(normalPhone(typed)).toBe(stored)
    expect(phoneSchema.parse({ phone: typed })).toEqual({ phone: stored })
  })
  it.each(['', 'abc', '123456', '++34600123456', '+1234567890123456', '+34 600 x'])(
    'RULE-07: %j is none',
    (phone) => {
      const { error } = phoneSchema.safeParse({ phone })
      expect(error?.issues[0]?.message).toBe(messages.phoneInvalid)
    },
  )
})
