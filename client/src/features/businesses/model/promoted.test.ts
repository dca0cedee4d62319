import { describe, expect, test } from 'vitest'
import { withPromoted } from './promoted'

describe('SUB-07: promoted businesses', () => {
  const page = { rows: [{ id: 'a' }, { id: 'b' }], total: 7 }
  test('stand on top, once, and are marked', () => {
    expect(withPromoted(page, [{ id: 'b' }, { id: 'x' }])).toEqual({
      rows: [
        { id: 'b', isPromoted: true },
        { id: 'x', isPromoted: true },
        { id: 'a', isPromoted: false },
      ],
      total: 7,
    })
  })
  test('stand on no page without results', () => {
    expect(withPromoted({ rows: [], total: 7 }, [{ id: 'x' }])).toEqual({ rows: [], total: 7 })
  })
})
