import { describe, expect, it } from 'vitest'
import { moveTo, placeAfterKey, roomFor } from './photo'

describe('OWNER-23: the order of photos', () => {
  it('moves an entry', () => {
    expect(moveTo(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
    expect(moveTo(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
    expect(moveTo(['a', 'b'], 0, 9)).toEqual(['b', 'a'])
    expect(moveTo(['a', 'b'], 5, 0)).toEqual(['a', 'b'])
  })
  it.each([
    ['ArrowRight', 1],
    ['ArrowLeft', null],
    ['ArrowDown', 3],
    ['ArrowUp', null],
    ['End', 6],
    ['Home', null],
    ['Enter', null],
  ])('%s moves the first of seven in three columns to %s', (key, to) => {
    expect(placeAfterKey(key, { at: 0, count: 7, columns: 3 })).toBe(to)
  })
  it('does not move beyond the last', () => {
    expect(placeAfterKey('ArrowDown', { at: 5, count: 7, columns: 3 })).toBe(6)
    expect(placeAfterKey('ArrowRight', { at: 6, count: 7, columns: 3 })).toBeNull()
  })
})

describe('SUB-08: the room for photos', () => {
  it.each([
    [0, 5, 5],
    [5, 5, 0],
    [7, 5, 0],
    [7, null, null],
  ])('%i used of %s leaves %s', (used, allowed, room) => {
    expect(roomFor(used, allowed)).toBe(room)
  })
})
