import { describe, expect, it } from 'vitest'
import { cleanQuery, slugify, slugifyCompany } from './text'

describe('RULE-21: a search query', () => {
  it('loses < > \' " &', () => {
    expect(cleanQuery(`<b>"Bar" & 'Tapas'</b>`)).toBe('bBar  Tapas/b')
  })
  it('is cut to 100 characters', () => {
    expect(cleanQuery('a'.repeat(101))).toHaveLength(100)
  })
  it('keeps accents and everything else', () => {
    expect(cleanQuery('Peluquería 50% (niños)')).toBe('Peluquería 50% (niños)')
  })
})

describe('RULE-23: a slug', () => {
  const cases: [text: string, slug: string][] = [
    ['Málaga', 'malaga'],
    ['Sant Julià de Lòria', 'sant-julia-de-loria'],
    ['Escaldes-Engordany', 'escaldes-engordany'],
    ["L'Hospitalet  de   Llobregat", 'lhospitalet-de-llobregat'],
    ['Bar -- Niño', 'bar-nino'],
    ['-Café (1890)-', 'cafe-1890'],
    ['¡!', ''],
  ]
  it.each(cases)('of %s is %s', (text, slug) => {
    expect(slugify(text)).toBe(slug)
  })
  it('has 50 characters at most and no hyphen at its end', () => {
    const slug = slugify(`${'a'.repeat(49)} b`)
    expect(slug).toBe('a'.repeat(49))
  })
})

it('RULE-24: the legal form of a company is dropped first', () => {
  expect(slugifyCompany('Talleres Vidal, S.L.')).toBe('talleres-vidal')
  expect(slugifyCompany('Vidal GmbH')).toBe('vidal')
  expect(slugifyCompany('Salsa')).toBe('salsa')
})
