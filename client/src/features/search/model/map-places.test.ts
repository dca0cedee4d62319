import { describe, expect, it } from 'vitest'
import { boundsOf, circleAround, cluster, hasPlace, readBounds } from './map-places'

describe('results on the map', () => {
  it('a business without real coordinates has no place', () => {
    expect(hasPlace({ latitude: 0, longitude: 0 })).toBe(false)
    expect(hasPlace({ latitude: 0, longitude: 1.5 })).toBe(true)
  })
  it('the map takes in all of them', () => {
    expect(boundsOf([])).toBeNull()
    expect(
      boundsOf([
        { latitude: 41.4, longitude: 2.2 },
        { latitude: -1, longitude: 3 },
      ]),
    ).toEqual([-1, 2.2, 41.4, 3])
  })
  it('parses bounds from the URL', () => {
    expect(readBounds('41,2,42,3')).toEqual([41, 2, 42, 3])
    expect(readBounds('')).toBeNull()
  })
  it('what would overlap is one, in the order of the results', () => {
    const spots = [
      { id: 'a', x: 0, y: 0 },
      { id: 'b', x: 100, y: 0 },
      { id: 'c', x: 60, y: 0 },
      { id: 'd', x: 100, y: 39 },
      { id: 'e', x: 100, y: -40 },
    ]
    const groups = (x: number, y: number) =>
      cluster(spots, { x, y }).map((group) => group.map(({ id }) => id).join(''))
    expect(groups(68, 40)).toEqual(['ac', 'bd', 'e'])
    expect(groups(1, 1)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(cluster([], { x: 40, y: 40 })).toEqual([])
  })
  it('arranges places that no zoom separates in a ring', () => {
    const ring = circleAround(4, 50)
    expect(ring[0]).toEqual({ x: 0, y: -50 })
    expect(cluster(ring, { x: 40, y: 40 })).toHaveLength(4)
  })
})
