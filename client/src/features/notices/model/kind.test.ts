import { expect, test } from 'vitest'
import { kindOfToken, kindsFor, readSettings } from './kind'

test('a kind without a row is on', () => {
  const settings = readSettings([
    { kind: 'message_unread', by_mail: false },
    { kind: 'review_asked', by_mail: true },
    { kind: 'unknown', by_mail: false },
  ])
  expect(settings).toMatchObject({ message_unread: false, review_asked: true, booking_asked: true })
})

test('requests concern owners only', () => {
  expect(kindsFor(true)).toContain('booking_asked')
  expect(kindsFor(false)).not.toContain('booking_asked')
})

test('a link names its kind', () => {
  expect(kindOfToken('review_asked.user.signature')).toBe('review_asked')
  for (const token of [null, '', 'review_asked', 'review_asked.user.', 'other.user.signature']) {
    expect(kindOfToken(token)).toBeNull()
  }
})
