import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { changedMeanwhile, changesOf } from './changes'
import { type DetailsForm, detailsSchema, emptyDetails, fromDetails, toDetails } from './details'
import { elsewhere, type Place, readLocation, writeLocation } from './place'
import { fieldRefusal, isPlanFull } from './refusal'

const at = { latitude: 1, longitude: 2 }
const places: Place[] = [
  { slug: 'seville', name: 'Seville', local_name: 'Sevilla', country: 'Spain', ...at },
  { slug: 'andorra', name: 'Andorra', local_name: 'Andorra', country: 'Andorra', ...at },
  {
    slug: 'sant-julia-de-loria',
    name: 'Sant Julià de Lòria',
    local_name: 'Sant Julià de Lòria',
    country: 'Andorra',
    ...at,
  },
]

describe('RULE-11: a location in its parts', () => {
  it.each([
    ['Sevilla', 'seville', ''],
    ['Calle Mayor 1, Sevilla', 'seville', 'Calle Mayor 1'],
    ['Triana, Seville, Spain', 'seville', 'Triana'],
    ['Aixovall, Sant Julia de Loria, Andorra', 'sant-julia-de-loria', 'Aixovall'],
    ['Andorra', 'andorra', ''],
    ['Toledo', elsewhere, 'Toledo'],
    ['Nuevasevilla', elsewhere, 'Nuevasevilla'],
    ['', '', ''],
  ])('%s', (stored, city, area) => {
    expect(readLocation(stored, places)).toEqual({ city, area })
  })
  it('is written with the name that people there use', () => {
    expect(writeLocation({ city: 'seville', area: ' Triana ' }, places)).toBe('Triana, Sevilla')
    expect(writeLocation({ city: 'sant-julia-de-loria', area: '' }, places)).toBe(
      'Sant Julià de Lòria, Andorra',
    )
    expect(writeLocation({ city: elsewhere, area: 'Toledo' }, places)).toBe('Toledo')
  })
})

const good: DetailsForm = { ...emptyDetails, name: 'Bar Sol', type: 'Bars', city: 'seville' }

function problems(change: Partial<DetailsForm>, allowed: number | null = 500, stored = '') {
  const checked = detailsSchema(allowed, stored).safeParse({ ...good, ...change })
  return checked.success
    ? {}
    : Object.fromEntries(checked.error.issues.map(({ path, message }) => [path.join('.'), message]))
}

describe('RULE-09 to RULE-15: what the form accepts', () => {
  it.each<[string, Partial<DetailsForm>, Record<string, string>]>([
    ['the least there can be', {}, {}],
    ['a short name', { name: ' A ' }, { name: 'Business name must be at least 2 characters' }],
    [
      'a name of 101',
      { name: 'x'.repeat(101) },
      { name: 'Business name cannot exceed 100 characters' },
    ],
    ['markup', { name: '<b>Bar' }, { name: 'Business name cannot contain < or >' }],
    ['no type', { type: '' }, { type: 'Business type is required' }],
    ['no town', { city: '' }, { city: 'Location is required' }],
    ['another place without a name', { city: elsewhere }, { area: 'Location is required' }],
    ['another place', { city: elsewhere, area: 'Toledo' }, {}],
    ['a phone', { phone: '+34 (600) 12-34-56' }, {}],
    [
      'two pluses',
      { phone: '++34600123456' },
      { phone: 'Please enter a phone number of 7 to 15 digits' },
    ],
    ['a picture elsewhere', { imageUrl: 'https://example.com/a.png' }, {}],
    ['an uploaded picture', { imageUrl: '/storage/v1/object/public/business-photos/a.png' }, {}],
    [
      'no picture',
      { imageUrl: 'javascript:alert(1)' },
      { imageUrl: 'Please enter a valid image URL' },
    ],
    ['a position', { latitude: '42,5', longitude: '-1.5' }, {}],
    [
      'a position of words',
      { latitude: 'north', longitude: '1' },
      { latitude: 'Latitude must be a number from -90 to 90' },
    ],
    [
      'half a position',
      { latitude: '42' },
      { longitude: 'Enter both latitude and longitude, or leave both empty' },
    ],
    ['a short address', { address: 'C 1' }, { address: 'Address must have 5 to 200 characters' }],
    [
      '31 languages',
      { languages: 'x,'.repeat(31) },
      { languages: 'At most 30 languages of 50 characters each' },
    ],
  ])('%s', (_, change, found) => {
    expect(problems(change)).toEqual(found)
  })
  it('holds the description to the plan, but for one that is longer already', () => {
    expect(Object.keys(problems({ description: 'x'.repeat(501) }))).toEqual(['description'])
    expect(problems({ description: 'x'.repeat(501) }, null)).toEqual({})
    expect(problems({ description: 'x'.repeat(501) }, 500, 'x'.repeat(501))).toEqual({})
  })
})

it('RULE-12 RULE-13: what is left empty is stored as nothing, and read back as it was', () => {
  const stored = fromDetails({ ...good, phone: ' ', languages: 'Catalan,, Spanish ' }, places)
  expect(stored).toMatchObject({
    phone: null,
    image_url: null,
    latitude: 0,
    longitude: 0,
    languages: ['Catalan', 'Spanish'],
    location: 'Sevilla',
  })
  expect(toDetails(stored, places)).toEqual({ ...good, languages: 'Catalan, Spanish' })
})

describe('two who change one business', () => {
  const before = { name: 'A', phone: null as string | null, tags: ['x'] }
  it('write only what they changed', () => {
    expect(changesOf(before, { name: 'B', phone: null, tags: ['x'] })).toEqual({ name: 'B' })
  })
  it.each([
    ['another part was changed', { ...before, phone: '1' }, []],
    ['the same part was changed', { ...before, name: 'C' }, ['name']],
    ['both wanted the same', { ...before, name: 'B' }, []],
  ])('%s', (_, now, columns) => {
    expect(changedMeanwhile(before, now, { name: 'B' })).toEqual(columns)
  })
})

describe('a refusal of the database', () => {
  const check = (name: string) =>
    new AppError('23514', `new row for relation "businesses" violates check constraint "${name}"`)
  it.each([
    ['businesses_name_check', 'name'],
    ['businesses_name_check1', 'name'],
    ['businesses_location_size', 'city'],
    ['businesses_image_url_check', 'imageUrl'],
    ['businesses_company_values_size', 'values'],
  ])('%s belongs to %s', (constraint, field) => {
    expect(fieldRefusal(check(constraint), null)?.field).toBe(field)
  })
  it('is the form’s where it is no field’s', () => {
    expect(fieldRefusal(check('businesses_hours_check'), null)).toBeNull()
    expect(fieldRefusal(new AppError('network', ''), null)).toBeNull()
  })
  it('S-37: is reported as the limit of the plan', () => {
    expect(fieldRefusal(new AppError('plan_limit_description', ''), 500)).toMatchObject({
      field: 'description',
    })
    expect(isPlanFull(new AppError('plan_limit_businesses', ''))).toBe(true)
  })
})
