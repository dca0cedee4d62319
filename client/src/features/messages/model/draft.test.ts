import { beforeEach, describe, expect, it } from 'vitest'
import { draftKey, readDraft, removeSent, storeDraft } from './draft'

describe('the draft of a message', () => {
  const key = draftKey('ana', 'business', null)
  beforeEach(() => storeDraft(key, 'Hello'))

  it('is empty once it was sent', () => {
    removeSent(key, 'Hello')
    expect(readDraft(key)).toBe('')
  })

  it('keeps what was typed while it was sent', () => {
    storeDraft(key, ' Hello again')
    removeSent(key, 'Hello')
    expect(readDraft(key)).toBe('again')
    storeDraft(key, 'Hi')
    removeSent(key, 'Hello')
    expect(readDraft(key)).toBe('Hi')
  })

  it('stays when only photos were sent', () => {
    removeSent(key, '')
    expect(readDraft(key)).toBe('Hello')
  })
})
