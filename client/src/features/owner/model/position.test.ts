import { describe, expect, it } from 'vitest'
import type { Place } from './place'
import { distanceText, followTown, metresFrom, positionOf, readPosition } from './position'

const town = (slug: string, latitude: number, longitude: number): Place => ({
  slug,
  name: slug,
  local_name: slug,
  country: 'Andorra',
  latitude,
  longitude,
})
const vella = town('andorra-la-vella', 42.5063, 1.5218)
const ordino = town('ordino', 42.5562, 1.5332)
const none = { latitude: '', longitude: '' }

describe('OWNER-05: the position of a business', () => {
  it('is not set if there was none', () => {
    expect(followTown(none, undefined, ordino)).toBeNull()
    expect(followTown(none, vella, ordino)).toBeNull()
  })
  it('follows to another town from the centre of the former one', () => {
    const centre = { latitude: ' 42,5063 ', longitude: '1.52180' }
    expect(followTown(centre, vella, ordino)).toEqual({ latitude: '42.5562', longitude: '1.5332' })
    expect(followTown(centre, vella, undefined)).toEqual(none)
  })
  it('stays where the owner set it, also half of it', () => {
    expect(followTown({ latitude: '42.5064', longitude: '1.5218' }, vella, ordino)).toBeNull()
    expect(followTown({ latitude: '42.5063', longitude: '' }, vella, ordino)).toBeNull()
    expect(followTown({ latitude: '42.5063', longitude: '1.5218' }, undefined, ordino)).toBeNull()
  })
  it('is read as it may be typed, and is none outside of the earth', () => {
    expect(readPosition({ latitude: '42,5', longitude: '-1.5' })).toEqual([42.5, -1.5])
    for (const latitude of ['', '91', 'x']) {
      expect(readPosition({ latitude, longitude: '1' })).toBeNull()
    }
  })
  it('converts a pin to form values', () => {
    const typed = positionOf({ latitude: 42.5063, longitude: -0.000001 })
    expect(readPosition(typed)).toEqual([42.5063, -0.000001])
    expect(typed.latitude).toBe('42.5063')
  })
  it('is as far from the centre as it is', () => {
    const at = { latitude: '42.5562', longitude: '1.5332' }
    expect(metresFrom(vella, at)).toBeCloseTo(5627, -2)
    expect(metresFrom(ordino, at)).toBe(0)
    expect(metresFrom(vella, none)).toBeNull()
  })
  it('has its distance in words', () => {
    const said = [1, 354, 994, 996, 2440, 9940, 9960, 1234567].map(distanceText)
    expect(said).toEqual([
      '10 m',
      '350 m',
      '990 m',
      '1.0 km',
      '2.4 km',
      '9.9 km',
      '10 km',
      '1,235 km',
    ])
  })
})
