import { describe, expect, it } from 'vitest'
import { openLabel } from './open-label'
import { openState, parseHours } from './open-state'

// Wednesday 25 November 2026; Madrid is an hour ahead of UTC in winter.
const wednesday = (time: string) => new Date(`2026-11-25T${time}:00+01:00`)
const label = (
  stored: unknown,
  at: Date,
  zone: 'Europe/Madrid' | 'Atlantic/Canary' = 'Europe/Madrid',
) => {
  const hours = parseHours(stored)
  return openLabel(hours, openState(hours, at, zone)).text
}
const on = (days: Record<string, unknown>) => ({ structured: days })
const shop = { open: '09:00', close: '17:00', isOpen: true }
const bar = { open: '20:00', close: '02:30', isOpen: true }

describe('BIZ-14: open now', () => {
  const cases: [rule: string, stored: unknown, at: string, text: string][] = [
    ['within the hours of the day', on({ wednesday: shop }), '12:00', 'Open until 17:00'],
    ['from the opening minute', on({ wednesday: shop }), '09:00', 'Open until 17:00'],
    [
      'not at the closing minute',
      on({ wednesday: shop, thursday: shop }),
      '17:00',
      'Opens Thu 09:00',
    ],
    ['later today', on({ wednesday: shop }), '08:59', 'Opens 09:00'],
    ['past midnight, in the evening', on({ wednesday: bar }), '23:00', 'Open until 02:30'],
    ['past midnight, the morning after', on({ tuesday: bar }), '02:29', 'Open until 02:30'],
    ['past midnight, until the end', on({ tuesday: bar }), '02:30', 'Opens Tue 20:00'],
    ['not before an overnight opening', on({ wednesday: bar }), '01:00', 'Opens 20:00'],
    ['until midnight', on({ wednesday: { ...bar, close: '00:00' } }), '23:59', 'Open until 00:00'],
    [
      'around the clock',
      on({ wednesday: { open: '00:00', close: '00:00', isOpen: true } }),
      '12:00',
      'Open 24 hours',
    ],
    ['a missing day is closed', on({ friday: shop }), '12:00', 'Opens Fri 09:00'],
    [
      'C-45: closed wins over isOpen',
      on({ wednesday: { ...shop, closed: true } }),
      '12:00',
      'Closed',
    ],
    [
      'C-45: isOpen false wins over closed false',
      on({ wednesday: { ...shop, isOpen: false, closed: false } }),
      '12:00',
      'Closed',
    ],
    [
      'DATA-09: default hours are 09:00 to 17:00',
      on({ wednesday: { isOpen: true } }),
      '16:59',
      'Open until 17:00',
    ],
    ['only once a week', on({ wednesday: shop }), '18:00', 'Opens Wed 09:00'],
    ['never', on({}), '12:00', 'Closed'],
    ['raw text stands as it is', 'Mañanas, con cita', '12:00', 'Mañanas, con cita'],
    ['SEARCH-22: nothing given', null, '12:00', 'Hours not available'],
  ]
  it.each(cases)('%s', (_rule, stored, at, text) => {
    expect(label(stored, wednesday(at))).toBe(text)
  })

  it('uses the time zone of the business', () => {
    const at = new Date('2026-11-25T16:30:00Z')
    expect(label(on({ wednesday: shop }), at, 'Atlantic/Canary')).toBe('Open until 17:00')
    expect(label(on({ wednesday: shop }), at, 'Europe/Madrid')).toBe('Opens Wed 09:00')
  })

  it('follows the clock through the change of summer time', () => {
    const sunday = on({ sunday: shop })
    expect(label(sunday, new Date('2026-10-25T07:30:00Z'))).toBe('Opens 09:00')
    expect(label(sunday, new Date('2026-10-25T08:00:00Z'))).toBe('Open until 17:00')
  })
})
