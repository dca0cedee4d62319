import { describe, expect, it } from 'vitest'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { toAppError } from '@/lib/errors'
import { canCancel, isUpcoming, refusalText, relativeDay, whenLabel } from './booking'
import { readView } from './view'

const booking = {
  date: '2026-11-25',
  start: '11:00',
  end: '12:00',
  zone: 'Europe/Madrid',
  status: 'confirmed',
} as const

it('BOOK-17: confirmed green, pending amber, cancelled red, other grey', () => {
  const tones = ['confirmed', 'pending', 'cancelled', 'completed', 'lost'].map(statusTone)
  expect(tones).toEqual(['success', 'warning', 'danger', 'neutral', 'neutral'])
  const labels = ['confirmed', 'pending', 'cancelled', 'completed', 'lost'].map((status) =>
    statusLabel(status),
  )
  expect(labels).toEqual(['Confirmed', 'Pending', 'Cancelled', 'Completed', 'Unknown'])
})

describe('upcoming and past', () => {
  const at = (text: string) => new Date(text)
  it('until it is over, on the clock of the business', () => {
    expect(isUpcoming(booking, at('2026-11-25T10:59:00Z'))).toBe(true)
    expect(isUpcoming(booking, at('2026-11-25T11:00:00Z'))).toBe(false)
    const canary = { ...booking, zone: 'Atlantic/Canary' } as const
    expect(isUpcoming(canary, at('2026-11-25T11:59:00Z'))).toBe(true)
    expect(isUpcoming(canary, at('2026-11-25T12:00:00Z'))).toBe(false)
  })
  it('in summer time, an hour earlier in universal time', () => {
    const summer = { ...booking, date: '2026-07-15' }
    expect(isUpcoming(summer, at('2026-07-15T09:59:00Z'))).toBe(true)
    expect(isUpcoming(summer, at('2026-07-15T10:00:00Z'))).toBe(false)
  })
  it('BOOK-17: cancelled and completed are never ahead', () => {
    const before = at('2026-11-01T00:00:00Z')
    expect(isUpcoming({ ...booking, status: 'cancelled' }, before)).toBe(false)
    expect(isUpcoming({ ...booking, status: 'completed' }, before)).toBe(false)
    expect(isUpcoming({ ...booking, status: 'pending' }, before)).toBe(true)
  })
  it('BOOK-18: can be cancelled until it starts', () => {
    expect(canCancel(booking, at('2026-11-25T09:59:00Z'))).toBe(true)
    expect(canCancel(booking, at('2026-11-25T10:00:00Z'))).toBe(false)
    expect(canCancel(booking, at('2026-11-26T09:00:00Z'))).toBe(false)
    expect(canCancel({ ...booking, status: 'cancelled' }, at('2026-11-20T09:00:00Z'))).toBe(false)
  })
})

it('BOOK-19: the day in words, with its year when it is another', () => {
  expect(whenLabel(booking, new Date('2026-11-21T12:00:00Z'))).toBe('Wed 25 Nov, 11:00–12:00')
  expect(whenLabel(booking, new Date('2027-01-02T12:00:00Z'))).toBe('Wed 25 Nov 2026, 11:00–12:00')
})

it('near days are called by their name', () => {
  const of = (today: string) => relativeDay('2026-11-25', today)
  expect(of('2026-11-25')).toBe('Today')
  expect(of('2026-11-24')).toBe('Tomorrow')
  expect(of('2026-11-23')).toBe('In 2 days')
  expect(of('2026-11-11')).toBe('In 14 days')
  expect(of('2026-11-10')).toBeNull()
  expect(of('2026-11-26')).toBeNull()
  expect(relativeDay('2026-03-30', '2026-03-29')).toBe('Tomorrow')
})

it('BOOK-18: why it could not be cancelled', () => {
  const refused = (details: string) =>
    toAppError({ code: 'PT409', message: 'raw words', details }, 409)
  expect(refusalText(refused('booking_started'))).toMatch(/^It has started already/)
  expect(refusalText(refused('booking_not_found'))).toBe('It does not exist any more.')
  expect(refusalText(refused('constructor'))).toMatch(/^Something went wrong/)
  expect(refusalText(new TypeError('Failed to fetch'))).toMatch(/^Plaza cannot be reached/)
})

it('the view is stored in the URL', () => {
  expect(readView(new URLSearchParams('view=past'))).toBe('past')
  expect(readView(new URLSearchParams('view=x'))).toBe('upcoming')
})
