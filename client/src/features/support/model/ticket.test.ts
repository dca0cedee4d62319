import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { messages } from '../messages'
import { readDraft, storeDraft } from './draft'
import { emptyTicket, isAmong, mayBeStored, sendFailure, ticketSchema } from './ticket'

const ticket = { subject: 'Payments', message: 'When am I paid for a booking?' }

describe('SUB-07: a question to the administrators', () => {
  it.each([
    ['as it is', ticket, []],
    ['a subject of spaces', { ...ticket, subject: '  a  ' }, [messages.subjectShort]],
    ['a subject of 121', { ...ticket, subject: 'a'.repeat(121) }, [messages.subjectLong]],
    ['a message of 9', { ...ticket, message: 'a'.repeat(9) }, [messages.messageShort]],
    ['a message of 4001', { ...ticket, message: 'a'.repeat(4001) }, [messages.messageLong]],
    ['the longest', { subject: ` ${'a'.repeat(120)} `, message: 'a'.repeat(4000) }, []],
  ])('%s', (_, typed, told) => {
    const { error } = ticketSchema.safeParse(typed)
    expect(error?.issues.map(({ message }) => message) ?? []).toEqual(told)
  })

  it('says why it was not sent, and that it is kept', () => {
    const tooMany = new AppError('too_many_tickets', 'no', { status: 429 })
    expect(sendFailure(tooMany)).toBe(messages.failures.too_many_tickets)
    expect(sendFailure(new AppError('network', 'no'))).toMatch(
      /^Plaza cannot be reached.* is kept\.$/,
    )
  })

  it('may be stored only where the server did not refuse it', () => {
    expect(mayBeStored(new AppError('network', 'no'))).toBe(true)
    expect(mayBeStored(new AppError('too_many_tickets', 'no', { status: 429 }))).toBe(false)
    expect(mayBeStored(new AppError('42501', 'no', { status: 403 }))).toBe(false)
  })

  it('is found among those stored by all that was written', () => {
    expect(isAmong([{ ...ticket, subject: 'Other' }, ticket], ticket)).toBe(true)
    expect(isAmong([{ ...ticket, message: 'Something else' }], ticket)).toBe(false)
  })

  it('is kept for its author only', () => {
    storeDraft('ana', ticket)
    expect(readDraft('ana')).toEqual(ticket)
    expect(readDraft('ben')).toEqual(emptyTicket)
  })
})
