import { describe, expect, it } from 'vitest'
import { AppError, unanswered } from '@/lib/errors'
import { failureMessages as failed } from '../failure-messages'
import { messages } from '../panel-messages'
import { failureOf } from './failure'

describe('a booking that is refused', () => {
  it.each([
    [{ code: 'PT429', details: 'too_many_open_bookings' }, failed.refused.too_many_open_bookings],
    [{ code: 'PT429', details: 'too_many_bookings' }, failed.refused.too_many_bookings],
    [{ code: 'PT409', details: 'bookings_busy' }, failed.refused.bookings_busy],
    [{ code: 'PT422', details: 'booking_too_far_ahead' }, failed.refused.booking_too_far_ahead],
    [{ code: 'PT422', details: 'invalid_service' }, messages.invalidServiceText],
    [{ code: 'XX000' }, failed.failedText],
    [{ code: 'toString' }, failed.failedText],
  ])('%j is told in words', (error, text) => {
    expect(failureOf({ message: 'no', ...error }).text).toBe(text)
  })
  it('says that nothing is sent later, and where it is not known whether it was booked', () => {
    expect(failureOf(unanswered('offline'))).toEqual({
      title: 'Booking failed',
      text: 'You are offline. Check your connection and try again.',
      more: failed.notSent,
    })
    expect(failureOf(new AppError('booking_unknown', 'x'))).toMatchObject({ isUnknown: true })
  })
  it('says that the slot was taken, and that the choice is kept', () => {
    expect(failureOf({ code: '23P01', message: 'conflict' })).toEqual({
      title: 'Booking failed',
      text: failed.taken,
      more: failed.kept,
      isAboutTime: true,
    })
    expect(failureOf({ code: 'PT429', message: 'no', details: 'too_many_bookings' }).more).toBe(
      failed.kept,
    )
  })
})
