import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { actionsFor, minutesUntil, timeLeft, whenText } from './business-booking'
import {
  calendarParams,
  daysOf,
  groupsOf,
  maxConcurrent,
  rangeOf,
  rangeText,
  readDate,
  readView,
  stepFrom,
} from './calendar'
import { reasonSchema, walkInSchema } from './forms'
import { inboxParams, readInbox } from './inbox'
import { openBooking, withBooking } from './open-booking'
import { refusalText } from './refusal'

const booking = {
  date: '2026-11-25',
  start: '11:00',
  end: '12:00',
  zone: 'Europe/Madrid',
  status: 'pending',
  cancelKind: null,
} as const
const before = new Date('2026-11-23T10:00:00Z')
const after = new Date('2026-11-25T10:00:00Z')

describe('BOOK-18: what a business can do', () => {
  it.each([
    ['a request', 'pending', null, before, ['accept', 'decline', 'move']],
    ['a request whose time has come', 'pending', null, after, ['decline']],
    ['a booking to come', 'confirmed', null, before, ['move', 'cancel']],
    ['a booking that has begun', 'confirmed', null, after, ['complete', 'no-show', 'cancel']],
    ['a completed one', 'completed', null, after, ['no-show']],
    ['a no-show', 'cancelled', 'no_show', after, ['complete']],
    ['a cancelled one', 'cancelled', 'customer', before, []],
    ['one of an unknown status', 'lost', null, before, []],
  ])('%s', (_, status, cancelKind, now, actions) => {
    expect(actionsFor({ ...booking, status, cancelKind }, now)).toEqual(actions)
  })
})

it('how long a request can be answered, on the clock of the business', () => {
  expect(minutesUntil(booking, after)).toBe(0)
  expect(minutesUntil({ ...booking, zone: 'Atlantic/Canary' }, after)).toBe(60)
  expect(timeLeft(booking, before)).toBe('2 days left to answer')
  expect(timeLeft(booking, new Date('2026-11-24T10:00:00Z'))).toBe('24 h left to answer')
  expect(timeLeft(booking, new Date('2026-11-25T09:15:00Z'))).toBe('45 min left to answer')
  expect(timeLeft(booking, after)).toBe('Too late to answer')
  expect(whenText(booking, before)).toBe('Wed 25 Nov, 11:00–12:00')
  expect(whenText(booking, new Date('2027-01-02T00:00:00Z'))).toBe('Wed 25 Nov 2026, 11:00–12:00')
})

it('the list state is stored in the URL', () => {
  const read = (text: string) => readInbox(new URLSearchParams(text))
  expect(read('')).toEqual({ filter: 'open', page: 1 })
  expect(read('show=cancelled&page=3')).toEqual({ filter: 'cancelled', page: 3 })
  expect(read('show=x&page=-1')).toEqual({ filter: 'open', page: 1 })
  expect(inboxParams({ filter: 'open', page: 1 }).toString()).toBe('')
  expect(inboxParams({ filter: 'pending', page: 2 }).toString()).toBe('show=pending&page=2')
})

it('the open booking is stored in the URL with everything else', () => {
  const params = withBooking(new URLSearchParams('view=week'), 'b1')
  expect(params.toString()).toBe('view=week&booking=b1')
  expect(openBooking(params)).toBe('b1')
  expect(withBooking(params, null).toString()).toBe('view=week')
})

describe('the calendar', () => {
  it('puts what happens at the same time together', () => {
    const span = (start: string, end: string) => ({ start, end })
    const chain = [span('09:00', '11:00'), span('09:30', '10:00'), span('10:30', '12:00')]
    const day = [...chain, span('12:00', '13:00'), span('23:00', '24:00')]
    expect(groupsOf(day)).toEqual([chain, [day[3]], [day[4]]])
    expect(groupsOf([])).toEqual([])
    expect(maxConcurrent(chain)).toBe(2)
    expect(maxConcurrent([...chain, span('09:30', '10:00')])).toBe(3)
    expect(maxConcurrent([span('09:00', '10:00'), span('10:00', '11:00')])).toBe(1)
  })
  it('is read from the address', () => {
    const params = new URLSearchParams('view=week&date=2026-11-25')
    expect(readView(params)).toBe('week')
    expect(readDate(params, '2026-11-23')).toBe('2026-11-25')
    for (const bad of ['', '2026-02-30', 'x', '2026-11-25T00:00']) {
      expect(readDate(new URLSearchParams({ date: bad }), '2026-11-23')).toBe('2026-11-23')
    }
    expect(readView(new URLSearchParams('view=year'))).toBe('list')
    expect(calendarParams('day', '2026-11-25').toString()).toBe('view=day&date=2026-11-25')
    expect(calendarParams('list', '2026-11-25').toString()).toBe('')
  })
  it('shows whole weeks, Monday first', () => {
    expect(daysOf('day', '2026-11-25')).toEqual(['2026-11-25'])
    expect(rangeOf('week', '2026-11-29')).toEqual({ first: '2026-11-23', last: '2026-11-29' })
    expect(rangeOf('month', '2026-11-25')).toEqual({ first: '2026-10-26', last: '2026-12-06' })
    expect(daysOf('week', '2027-03-28')).toHaveLength(7)
  })
  it('moves forward and back', () => {
    expect(stepFrom('day', '2026-12-31', 1)).toBe('2027-01-01')
    expect(stepFrom('week', '2026-11-25', -1)).toBe('2026-11-18')
    expect(stepFrom('month', '2026-01-31', 1)).toBe('2026-02-01')
  })
  it('says what it shows', () => {
    expect(rangeText('day', '2026-11-25')).toBe('Wednesday 25 November 2026')
    expect(rangeText('week', '2026-11-25')).toBe('23 Nov – 29 Nov 2026')
    expect(rangeText('month', '2026-11-25')).toBe('November 2026')
  })
})

it('BOOK-18: a reason is given, and a walk-in is whole', () => {
  expect(reasonSchema.safeParse({ reason: '  ' }).success).toBe(false)
  expect(reasonSchema.safeParse({ reason: 'x'.repeat(501) }).success).toBe(false)
  expect(reasonSchema.parse({ reason: ' Full ' }).reason).toBe('Full')
  const whole = { service: 's1', date: '2026-11-25', time: '11:05', name: ' Pau ', phone: '' }
  expect(walkInSchema.parse(whole).name).toBe('Pau')
  for (const missing of ['service', 'date', 'time', 'name']) {
    expect(walkInSchema.safeParse({ ...whole, [missing]: '' }).success).toBe(false)
  }
  expect(walkInSchema.safeParse({ ...whole, time: '25:00' }).success).toBe(false)
})

it('a refusal in words', () => {
  const refused = new AppError('23P01', 'raw words', { status: 409 })
  expect(refusalText(refused)).toBe('That time is taken.')
  expect(refusalText(new AppError('constructor', 'raw', { status: 500 }))).toMatch(/^Something/)
})
