import { expect, it } from 'vitest'
import {
  type CityCategory,
  cityPageSize,
  othersOf,
  popularCount,
  recentCount,
  topOf,
} from './city-lists'

const top = (code: string): CityCategory => ({ code, name: code, parent: null, businesses: 1 })
const child = (code: string, parent: string): CityCategory => ({ ...top(code), parent })
const all = [
  ...Array.from({ length: 12 }, (_, index) => top(`top-${index}`)),
  child('hair', 'top-3'),
  child('nails', 'top-3'),
]

it('CITY-02: the grid holds the top categories', () => {
  expect(topOf(all)).toHaveLength(12)
})

it('CITY-06: the first ten others, siblings first, never the one on show', () => {
  const codes = othersOf(all, 'hair').map((category) => category.code)
  expect(codes).toHaveLength(10)
  expect(codes.slice(0, 2)).toEqual(['nails', 'top-0'])
  expect(othersOf(all, 'top-3').map((one) => one.code)).not.toContain('top-3')
  expect(othersOf(all, 'top-3')[0]?.code).toBe('hair')
})

it('CITY-03, CITY-08, CITY-09: 6 recent, 5 popular, 20 a page', () => {
  expect([recentCount, popularCount, cityPageSize]).toEqual([6, 5, 20])
})
