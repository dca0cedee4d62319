import { expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { codeRefusal, noCodeReason, phaseOf } from './code'

it('ADMIN-CLAIM-11: the state of a code', () => {
  const sent = { problem: null, secondsLeft: 900, triesLeft: 5 }
  expect(phaseOf(sent)).toBe('sent')
  expect(phaseOf({ ...sent, triesLeft: 0 })).toBe('spent')
  expect(phaseOf({ ...sent, secondsLeft: 0, triesLeft: 0 })).toBe('expired')
  expect(phaseOf({ ...sent, secondsLeft: null, triesLeft: null })).toBe('unsent')
  expect(phaseOf({ ...sent, problem: 'claim_no_phone' })).toBe('impossible')
})

it('a refusal in words', () => {
  expect(noCodeReason('claim_texts_off')).toMatch(/^Text messages/)
  expect(noCodeReason('too_many_codes')).toBeNull()
  expect(noCodeReason(null)).toBeNull()
  expect(codeRefusal(new AppError('wrong_code', 'raw', { status: 422 }))).toMatch(/^That is not/)
  expect(codeRefusal(new TypeError('Failed to fetch'))).toMatch(/^Plaza cannot be reached/)
})
