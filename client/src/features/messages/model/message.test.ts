import { describe, expect, it } from 'vitest'
import { toConversation } from './conversation'
import { byDay, type Message, timeOf } from './message'

const message = (id: string, sentAt: string): Message => ({
  id,
  isMine: false,
  text: id,
  photos: [],
  isRead: false,
  sentAt,
})

describe('messages by day', () => {
  it('has the days of Madrid, oldest first, named as people do', () => {
    const now = new Date('2026-11-23T10:00:00Z')
    const newestFirst = [
      message('now', '2026-11-22T23:10:00Z'),
      message('evening', '2026-11-22T22:50:00Z'),
      message('last week', '2026-11-16T10:00:00Z'),
      message('last year', '2025-12-31T22:00:00Z'),
    ]
    expect(byDay(newestFirst, now).map(({ label, items }) => [label, items.length])).toEqual([
      ['Wed 31 Dec 2025', 1],
      ['Mon 16 Nov', 1],
      ['Yesterday', 1],
      ['Today', 1],
    ])
    expect(byDay([], now)).toEqual([])
  })

  it('returns the time across a clock change', () => {
    expect(timeOf(message('summer', '2026-10-25T00:30:00Z'))).toBe('02:30')
    expect(timeOf(message('winter', '2026-10-25T02:30:00Z'))).toBe('03:30')
  })
})

describe('a conversation', () => {
  const row = {
    id: 'c',
    business_id: 'b',
    business_name: 'Bar Sol',
    business_image_url: '',
    business_category: 'bars',
    is_owner: false,
    other_id: 'o',
    other_name: 'Marc',
    other_avatar_url: null,
    last_content: '',
    last_has_photos: true,
    last_sent_by_me: true,
    last_at: '2026-11-22T23:10:00Z',
    unread: 0,
    blocked_by_me: false,
    is_open: true,
  }

  it('is with a business for a customer, and with a person for an owner', () => {
    expect(toConversation(row)).toMatchObject({ name: 'Bar Sol', lastLine: 'You: Photo' })
    expect(toConversation({ ...row, is_owner: true }).name).toBe('Marc')
  })

  it('outlives the account and the business', () => {
    expect(toConversation({ ...row, is_owner: true, other_name: null }).name).toBe(
      'Deleted account',
    )
    const gone = toConversation({ ...row, business_id: null, business_name: null })
    expect(gone).toMatchObject({ name: 'A business that was removed', business: null })
  })
})
