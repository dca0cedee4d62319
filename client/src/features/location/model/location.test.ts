import { describe, expect, it } from 'vitest'
import { popularCityNames } from '@/lib/popular-places'
import { messages } from '../messages'
import { cities, findCity, isSupported, matchCities } from './cities'
import {
  defaultLocation,
  locationLifetimeMs,
  parseCached,
  parseDetected,
  searchCity,
  toCached,
} from './location'

const names = (text: string) => matchCities(text).map((city) => city.name)

describe('cities', () => {
  it('RULE-22: the supported list, whatever the case and spaces', () => {
    const list =
      'madrid, barcelona, valencia, seville, bilbao, malaga, zaragoza, murcia, palma, las palmas, andorra, andorra la vella, escaldes-engordany, encamp, la massana, ordino, sant julià de lòria, canillo'
    expect(cities.map((city) => city.name.toLowerCase())).toEqual(list.split(', '))
    expect(isSupported('  ANDORRA la Vella ')).toBe(true)
    expect(isSupported('Paris')).toBe(false)
  })
  it('LOC-03: popular cities before anything is typed', () => {
    const popular = ['Madrid', 'Barcelona', 'Valencia', 'Seville', 'Bilbao', 'Malaga', 'Andorra']
    expect([...popularCityNames]).toEqual(popular)
    expect(names('  ')).toEqual(popular)
  })
  it('LOC-02: matches by any spelling, without accents, beginnings first', () => {
    expect(names('sevi')).toEqual(['Seville'])
    expect(names('Málaga')).toEqual(['Malaga'])
    expect(names('julia')).toEqual(['Sant Julià de Lòria'])
    expect(names('pal')).toEqual(['Palma', 'Las Palmas'])
    expect(names('zzz')).toEqual([])
  })
  it('LOC-02: lists eight at most', () => {
    expect(names('a')).toHaveLength(8)
  })
  it('C-35: knows a city by its local name', () => {
    expect(findCity('Sevilla')?.name).toBe('Seville')
    expect(findCity('Lyon')).toBeUndefined()
  })
})

describe('location', () => {
  const now = Date.UTC(2026, 10, 21)
  const madrid = { city: 'Madrid', country: 'Spain', isSupported: true, source: 'manual' } as const

  it('LOC-08, DATA-28: is stored as {city, country, isSupported, timestamp} and read back as cached', () => {
    const stored = toCached(madrid, now)
    expect(stored).toEqual({ city: 'Madrid', country: 'Spain', isSupported: true, timestamp: now })
    expect(parseCached(stored, now + locationLifetimeMs - 1)).toEqual({
      ...madrid,
      source: 'cached',
    })
  })
  it('LOC-08, CONST-04: is forgotten after 24 hours, and never taken from the future', () => {
    const stored = toCached(madrid, now)
    expect(locationLifetimeMs).toBe(86_400_000)
    expect(parseCached(stored, now + locationLifetimeMs)).toBeNull()
    expect(parseCached(stored, now - 1)).toBeNull()
  })
  it('does not trust what is stored', () => {
    for (const value of [null, 3, 'Madrid', {}, { city: 1, country: 'x', timestamp: now }]) {
      expect(parseCached(value, now)).toBeNull()
    }
    const forged = { city: 'Paris', country: 'France', isSupported: true, timestamp: now }
    expect(parseCached(forged, now)?.isSupported).toBe(false)
  })
  it('LOC-06: reads city and country_name, in the spelling of the list', () => {
    expect(parseDetected({ city: 'Sevilla', country_name: 'Spain' })).toEqual({
      city: 'Seville',
      country: 'Spain',
    })
    expect(parseDetected({ city: '', country_name: 'Spain' })).toBeNull()
    expect(parseDetected({ error: true })).toBeNull()
  })
  it('LOC-07, LOC-09: searches in Andorra when the city is not served', () => {
    expect(defaultLocation).toMatchObject({ city: 'Andorra', source: 'fallback' })
    const lyon = {
      city: 'Lyon',
      country: 'France',
      isSupported: false,
      source: 'auto-detected',
    } as const
    expect(searchCity(lyon)).toBe('Andorra')
    expect(searchCity(madrid)).toBe('Madrid')
  })
  it('LOC-04, LOC-05: each source has its words', () => {
    expect(messages.source).toEqual({
      cached: 'saved location',
      'auto-detected': 'auto-detected',
      manual: 'manual selection',
      fallback: 'default location',
    })
  })
})
