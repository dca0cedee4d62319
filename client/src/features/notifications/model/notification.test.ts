import { expect, it } from 'vitest'
import { badgeText, toNotification } from './notification'

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
