import { expect, test } from 'vitest'
import { lift, splitAlternatives } from './alternatives'
import { filterCount, noTerms } from './terms'

const row = (kind: string, target: string) => ({
  kind,
  name: target,
  target,
  distance_km: null,
  businesses: 3,
})

test('alternatives are filters to lift, known ones alone, and places', () => {
  const rows = [row('filter', 'price'), row('place', 'reus'), row('filter', 'moon')]
  const { filters, places } = splitAlternatives(rows)
  expect(filters.map(({ target }) => target)).toEqual(['price'])
  expect(places.map(({ target }) => target)).toEqual(['reus'])
})

test('a lifted filter is none', () => {
  const terms = {
    ...noTerms,
    rating: 4,
    amenities: ['Parking'],
    open: true,
    on: '2026-11-28',
    priceMin: 5,
    priceMax: 9,
    within: 5,
    bounds: '1,2,3,4',
  }
  const all = ['rating', 'amenities', 'open_now', 'free_on', 'price', 'distance']
  const lifted = Object.assign({ ...terms }, ...all.map(lift))
  expect(filterCount(lifted)).toBe(0)
  for (const target of all) {
    expect(filterCount({ ...terms, ...lift(target) })).toBeLessThan(filterCount(terms))
  }
})
