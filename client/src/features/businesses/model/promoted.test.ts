import { describe, expect, test } from 'vitest'
import { withPromoted } from './promoted'

describe('SUB-07: promoted businesses', () => {
  test('stand on top, once, and are marked', () => {
    expect(withPromoted([{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'x' }])).toEqual([
      { id: 'b', isPromoted: true },
      { id: 'x', isPromoted: true },
      { id: 'a', isPromoted: false },
    ])
  })
  test('stand on no page without results', () => {
    expect(withPromoted([], [{ id: 'x' }])).toEqual([])
  })
})
