import { describe, expect, it } from 'vitest'
import { baseStyle } from './base-style'
import { lookAt, roundPoint, stepOf } from './geo'

const plain = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false }

describe('OWNER-05: a place on the map', () => {
  it('has six decimals', () => {
    expect(roundPoint({ latitude: 42.50630049, longitude: 1.52179951 })).toEqual({
      latitude: 42.5063,
      longitude: 1.5218,
    })
    expect(Object.is(roundPoint({ latitude: -0.0000001, longitude: 1 }).latitude, 0)).toBe(true)
  })
  it('is one of the earth, also beyond the edge of the map', () => {
    expect(roundPoint({ latitude: 91, longitude: 361.5 })).toEqual({ latitude: 90, longitude: 1.5 })
    expect(roundPoint({ latitude: -90.5, longitude: -190 }).longitude).toBe(170)
  })
  it('is moved by arrow keys, further with Shift, and by no other key', () => {
    expect(stepOf('ArrowLeft', plain)).toEqual({ x: -10, y: 0 })
    expect(stepOf('ArrowUp', { ...plain, shiftKey: true })).toEqual({ x: 0, y: -50 })
    expect(stepOf('+', plain)).toBeNull()
    expect(stepOf('ArrowLeft', { ...plain, altKey: true })).toBeNull()
  })
})

it('a map without streets opens at a lower zoom', () => {
  const at = { latitude: 42.5, longitude: 1.5 }
  expect(lookAt(at, 'door', true).zoom).toBeGreaterThan(lookAt(at, 'town', true).zoom)
  expect(lookAt(at, 'door', false)).toEqual({ ...at, zoom: 10 })
})

it('the map of the client takes its colours from the theme and its tiles from the page’s server', () => {
  const colours = {
    water: 'rgb(1, 1, 1)',
    land: 'rgb(2, 2, 2)',
    abroad: 'rgb(3, 3, 3)',
    border: 'rgb(4, 4, 4)',
    stateBorder: 'rgb(5, 5, 5)',
    city: 'rgb(6, 6, 6)',
    town: 'rgb(7, 7, 7)',
  }
  const style = baseStyle(colours, 'https://plaza.test')
  const text = JSON.stringify(style)
  for (const colour of Object.values(colours)) expect(text).toContain(colour)
  expect(style.sources.base).toMatchObject({
    tiles: ['https://plaza.test/map-tiles/{z}/{x}/{y}.mvt'],
  })
  for (const source of ['IGN', 'Natural Earth', 'GeoNames']) expect(text).toContain(source)
})
