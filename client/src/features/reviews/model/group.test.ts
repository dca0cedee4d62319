import { expect, it } from 'vitest'
import { countsOf, readGroup, starsOf } from './group'

it('METRICS-34: 4 and 5 stars are positive, 3 neutral, fewer need attention', () => {
  expect([starsOf('positive'), starsOf('neutral'), starsOf('negative')]).toEqual([
    [4, 5],
    [3],
    [1, 2],
  ])
})

it('METRICS-33: each group is counted', () => {
  const spread = [
    { stars: 5, reviews: 3 },
    { stars: 4, reviews: 2 },
    { stars: 1, reviews: 1 },
  ]
  expect(countsOf(spread)).toEqual({ all: 6, positive: 5, neutral: 0, negative: 1 })
  expect(countsOf([])).toEqual({ all: 0, positive: 0, neutral: 0, negative: 0 })
})

it('an unknown group is all', () => {
  expect(readGroup('neutral')).toBe('neutral')
  expect(readGroup('x')).toBe('all')
  expect(readGroup(null)).toBe('all')
})
