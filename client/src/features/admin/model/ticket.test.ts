import { describe, expect, it } from 'vitest'
import { messages } from '../messages'
import { answerSchema, containing, readState } from './ticket'

describe('SUB-07: answers to questions', () => {
  it.each([
    ['nothing', '  ', messages.support.answerMissing],
    ['too much', 'a'.repeat(4001), messages.support.answerLong],
    ['the longest', ` ${'a'.repeat(4000)}`, undefined],
  ])('%s', (_, answer, told) => {
    expect(answerSchema.safeParse({ answer }).error?.issues[0]?.message).toBe(told)
  })
  it('reads the state of the address, and no other', () => {
    expect(['open', 'answered', '', 'all'].map(readState)).toEqual(['open', 'answered', null, null])
  })
  it('searches for signs as they are', () => {
    expect(containing('50 %_\\')).toBe('%50 \\%\\_\\\\%')
  })
})
