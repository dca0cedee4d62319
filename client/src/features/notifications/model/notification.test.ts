import { describe, expect, it } from 'vitest'
import { agoLabel, badgeText, toNotification } from './notification'

const row = {
  id: '1',
  type: 'booking',
  title: 'Your booking was confirmed',
  content: 'See you soon.',
  link: '/bookings',
  read: false,
  created_at: '2026-11-21T10:00:00Z',
}

it('NOTIF-01: the four types; anything else counts as other', () => {
  const types = ['booking', 'message', 'review', 'other', 'novel'].map(
    (type) => toNotification({ ...row, type }).type,
  )
  expect(types).toEqual(['booking', 'message', 'review', 'other', 'other'])
})

it('a link leads to a page of this site or nowhere', () => {
  expect(toNotification(row).link).toBe('/bookings')
  for (const link of ['//evil.example', 'https://evil.example', '', null]) {
    expect(toNotification({ ...row, link }).link).toBeNull()
  }
})

it('NAV-01: the bell counts to nine', () => {
  expect([1, 9, 10, 250].map(badgeText)).toEqual(['1', '9', '9+', '9+'])
})

describe('how long ago', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  it.each([
    ['2026-11-21T12:00:30Z', 'Just now'],
    ['2026-11-21T11:59:30Z', 'Just now'],
    ['2026-11-21T11:59:00Z', '1 min ago'],
    ['2026-11-21T11:00:30Z', '59 min ago'],
    ['2026-11-21T11:00:00Z', '1 h ago'],
    ['2026-11-20T23:30:00Z', '12 h ago'],
    ['2026-11-20T22:30:00Z', 'Yesterday, 23:30'],
    ['2026-11-19T22:30:00Z', 'Thu 19 Nov'],
    ['2025-11-19T22:30:00Z', 'Wed 19 Nov 2025'],
  ])('%s is %s', (createdAt, label) => {
    expect(agoLabel(createdAt, now)).toBe(label)
  })
})
