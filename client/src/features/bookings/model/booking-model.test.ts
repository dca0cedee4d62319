import { describe, expect, it } from 'vitest'
import { type Appointment, calendarFile, momentOf } from './calendar-file'
import { readSelection, refusalOf, withSelection } from './selection'
import { groupSlots, type Slot, type SlotReason, toSlot, whyFull } from './slots'

const day = (reasonAt: (index: number) => SlotReason | null): Slot[] =>
  Array.from({ length: 18 }, (_, index) => {
    const start = `${String(9 + Math.floor(index / 2)).padStart(2, '0')}:${index % 2 ? '30' : '00'}`
    return { start, end: start, reason: reasonAt(index) }
  })

describe('slots', () => {
  it('BOOK-07: 18 from 09:00 to 17:30, in morning, afternoon and evening', () => {
    const groups = groupSlots(day(() => null))
    expect(groups.map(({ part, slots }) => [part, slots[0]?.start, slots.length])).toEqual([
      ['morning', '09:00', 6],
      ['afternoon', '12:00', 10],
      ['evening', '17:00', 2],
    ])
  })
  it('leaves out an empty part', () => {
    expect(groupSlots([{ start: '10:00', end: '10:30', reason: null }])).toHaveLength(1)
  })
  it('BOOK-08: takes the reason of a slot that cannot be had', () => {
    const stored = { start_time: '09:30:00', end_time: '10:00:00' }
    expect(toSlot({ ...stored, available: true, reason: null })).toEqual({
      start: '09:30',
      end: '10:00',
      reason: null,
    })
    expect(toSlot({ ...stored, available: false, reason: 'taken' }).reason).toBe('taken')
    expect(toSlot({ ...stored, available: false, reason: 'news' }).reason).toBe('unavailable')
  })
  it('says why nothing is free', () => {
    expect(whyFull(day((index) => (index === 3 ? null : 'closed')))).toBeNull()
    expect(whyFull(day(() => 'closed'))).toBe('closed')
    expect(whyFull(day((index) => (index < 4 ? 'taken' : 'closed')))).toBe('taken')
    expect(whyFull(day(() => 'blackout'))).toBe('blackout')
    expect(whyFull([])).toBeNull()
  })
  it('reports the opening hours only if there is no other reason', () => {
    const late = (past: number, reason: SlotReason) =>
      whyFull(day((index) => (index < past ? 'past' : reason)))
    expect(late(14, 'taken')).toBe('taken')
    expect(late(17, 'unavailable')).toBe('unavailable')
    expect(late(10, 'closed')).toBe('past')
    expect(late(18, 'closed')).toBe('past')
  })
})

describe('the choice in the address', () => {
  const read = (query: string) => readSelection(new URLSearchParams(query))
  it('is read with suspicion', () => {
    expect(read('service=s1&date=2026-11-25&time=11:00')).toEqual({
      service: 's1',
      date: '2026-11-25',
      time: '11:00',
    })
    expect(read('date=2026-02-30&time=25:00')).toEqual({ service: null, date: null, time: null })
    expect(read('date=tomorrow&time=noon')).toEqual({ service: null, date: null, time: null })
  })
  it('changes alone', () => {
    const params = new URLSearchParams('a=1&date=2026-11-25&time=11:00')
    expect(withSelection(params, { time: null, service: 's' }).toString()).toBe(
      'a=1&date=2026-11-25&service=s',
    )
  })
})

describe('why a booking cannot be sent', () => {
  const whole = { service: 's1', date: '2026-11-25', time: '11:00' }
  const facts = { serviceIds: ['s1'], isSignedIn: true, today: '2026-11-25' }
  const words = (selection: Partial<typeof whole> | object, given = facts) => {
    const refusal = refusalOf({ ...whole, ...selection }, given)
    return refusal && `${refusal.title} - ${refusal.text}`
  }
  it('BOOK-11: all three are required', () => {
    for (const missing of ['service', 'date', 'time']) {
      expect(words({ [missing]: null })).toBe(
        'Incomplete selection - Please select a date, service, and time slot',
      )
    }
  })
  it('BOOK-12: the service exists', () => {
    expect(words({ service: 'gone' })).toBe('Invalid service - The selected service does not exist')
  })
  it('BOOK-13: login', () => {
    expect(words({}, { ...facts, isSignedIn: false })).toBe(
      'Authentication required - Please log in to book a service',
    )
  })
  it('BOOK-14: not before today', () => {
    expect(words({ date: '2026-11-24' })).not.toBeNull()
    expect(words({})).toBeNull()
  })
})

describe('the calendar file', () => {
  it('returns the instant in the zone of the business, on both sides of a clock change', () => {
    const iso = (date: string, zone: Appointment['zone'], time = '11:00') =>
      momentOf(date, time, zone).toISOString()
    expect(iso('2026-11-25', 'Europe/Madrid')).toBe('2026-11-25T10:00:00.000Z')
    expect(iso('2026-07-01', 'Europe/Andorra')).toBe('2026-07-01T09:00:00.000Z')
    expect(iso('2026-11-25', 'Atlantic/Canary')).toBe('2026-11-25T11:00:00.000Z')
    expect(iso('2026-10-25', 'Europe/Madrid')).toBe('2026-10-25T10:00:00.000Z')
    expect(iso('2026-10-25', 'Europe/Madrid', '01:30')).toBe('2026-10-24T23:30:00.000Z')
    expect(iso('2026-03-29', 'Europe/Madrid', '03:30')).toBe('2026-03-29T01:30:00.000Z')
  })
  it('holds the appointment, escaped and folded at 75 octets', () => {
    const file = calendarFile(
      {
        id: 'b1',
        title: 'Tall, color; assecat',
        date: '2026-11-25',
        start: '11:00',
        duration: 90,
        zone: 'Europe/Madrid',
        place: `Carrer d'Enric Granados 106, ${'à'.repeat(40)}`,
        url: 'https://plaza.test/bookings',
      },
      new Date('2026-11-21T12:00:00Z'),
    )
    expect(file).toContain('DTSTART:20261125T100000Z\r\nDTEND:20261125T113000Z\r\n')
    expect(file).toContain('SUMMARY:Tall\\, color\\; assecat\r\n')
    const lines = file.split('\r\n')
    const octets = lines.map((line) => new TextEncoder().encode(line).length)
    expect(Math.max(...octets)).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n ', '')).toContain('à'.repeat(40))
  })
})
