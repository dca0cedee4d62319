import { describe, expect, it } from 'vitest'
import { agoLabel } from './ago'

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
