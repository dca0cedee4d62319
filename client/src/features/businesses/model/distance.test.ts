import { expect, test } from 'vitest'
import { distanceKm, formatKm } from './distance'

const madrid = { latitude: 40.4165, longitude: -3.7026 }
const barcelona = { latitude: 41.3888, longitude: 2.159 }

test('kilometres along the earth, the same both ways', () => {
  expect(distanceKm(madrid, barcelona)).toBeCloseTo(504, -1)
  expect(distanceKm(barcelona, madrid)).toBe(distanceKm(madrid, barcelona))
  expect(distanceKm(madrid, madrid)).toBe(0)
})

test('are rounded as people say them', () => {
  expect([0, 0.04, 1.24, 9.96, 504.4].map(formatKm)).toEqual([
    '0.1 km',
    '0.1 km',
    '1.2 km',
    '10 km',
    '504 km',
  ])
})
