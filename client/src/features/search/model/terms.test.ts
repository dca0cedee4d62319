import { beforeAll, describe, expect, it, vi } from 'vitest'
import { isNarrowed } from './alternatives'
import {
  addressOf,
  documentTitleOf,
  filterCount,
  findCategory,
  headingOf,
  modernQuery,
  noTerms,
  readTerms,
  resultsTitleOf,
  type Terms,
  wordsOf,
} from './terms'

const read = (query: string) => readTerms(new URLSearchParams(query))
const modern = (query: string) => modernQuery(new URLSearchParams(query))
const terms = (given: Partial<Terms>): Terms => ({ ...noTerms, ...given })

describe('reading an address', () => {
  it('ROUTE-06: find_desc, find_loc, category and page', () => {
    expect(read('find_desc=corte&find_loc=Madrid&category=Beauty+%26+Spas&page=3')).toEqual(
      terms({ findDesc: 'corte', findLoc: 'Madrid', category: 'Beauty & Spas', page: 3 }),
    )
  })
  it('SEARCH-06: an invalid page means the first page', () => {
    expect(['', 'page=0', 'page=-2', 'page=1.5', 'page=x'].map((q) => read(q).page)).toEqual([
      1, 1, 1, 1, 1,
    ])
  })
  it('ROUTE-08: knows the older names, and prefers the new', () => {
    expect(read('q=corte&location=Madrid')).toMatchObject({ findDesc: 'corte', findLoc: 'Madrid' })
    expect(read('q=old&find_desc=new').findDesc).toBe('new')
  })
  it('SEARCH-13, RULE-21: cleans the text', () => {
    expect(read('find_desc=%3Cb%3E%22x%22&find_loc=L%27Hospitalet')).toMatchObject({
      findDesc: 'bx',
      findLoc: 'LHospitalet',
    })
  })
  it('takes only filters that exist', () => {
    expect(read('rating=4.5&amenities=Parking,Helipad')).toMatchObject({
      rating: 4.5,
      amenities: ['Parking'],
    })
    expect(read('rating=9').rating).toBe(0)
  })
})

describe('the filters of an address', () => {
  beforeAll(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 25, 12), toFake: ['Date'] })
    return () => vi.useRealTimers()
  })
  it('are read where they make sense', () => {
    expect(
      read(
        'open=1&on=2026-11-28&price_min=19.999&price_max=50&within=5&near=41.38,2.17&bounds=41,2,42,3&sort=price&view=map',
      ),
    ).toEqual(
      terms({
        open: true,
        on: '2026-11-28',
        priceMin: 20,
        priceMax: 50,
        within: 5,
        near: '41.38,2.17',
        bounds: '41,2,42,3',
        sort: 'price',
        view: 'map',
      }),
    )
  })
  it.each([
    'open=yes',
    'on=1970-01-01',
    'on=2026-02-31',
    'on=2031-01-01',
    'on=tomorrow',
    'price_min=-3',
    'price_max=NaN',
    'price_max=1e99',
    'within=7',
    'near=91,2',
    'near=,2',
    'near=41',
    'near=41,2,3',
    'bounds=42,2,41,3',
    'bounds=41,3,42,2',
    'bounds=1,2,3',
    'sort=__proto__',
    'view=list',
    `amenities=${Array.from({ length: 40 }, (_, index) => `Nr ${index}`).join()}`,
  ])('%s is dropped', (query) => {
    expect(read(query)).toEqual(noTerms)
  })
  it('a price from above the price to is one the wrong way round', () => {
    expect(read('price_min=50&price_max=20')).toMatchObject({ priceMin: 20, priceMax: 50 })
  })
  it('are read back as they were written', () => {
    const all = terms({
      open: true,
      on: '2026-11-25',
      priceMin: 1.5,
      within: 50,
      near: '-1.5,2',
      bounds: '41.38,2.1,41.4,2.25',
      sort: 'newest',
      view: 'map',
    })
    expect(read(addressOf(all).split('?')[1] ?? '')).toEqual(all)
  })
})

describe('the address it should have had', () => {
  it('ROUTE-08: older names are converted', () => {
    expect(modern('q=corte&location=Madrid&page=2')).toBe('page=2&find_desc=corte&find_loc=Madrid')
    expect(modern('q=old&find_desc=new')).toBe('find_desc=new')
    expect(modern('q=')).toBe('')
  })
  it('ROUTE-07: page is left out when it is 1', () => {
    expect(modern('find_desc=a&page=1')).toBe('find_desc=a')
    expect(modern('page=abc')).toBe('')
  })
  it('is left alone when it is fine', () => {
    expect(modern('')).toBeNull()
    expect(modern('find_desc=a&page=2')).toBeNull()
  })
})

describe('writing an address', () => {
  it('ROUTE-07: leaves out what is not set', () => {
    expect(addressOf(noTerms)).toBe('/search')
    expect(addressOf(terms({ findDesc: 'a', page: 1 }))).toBe('/search?find_desc=a')
    expect(addressOf(terms({ rating: 4, amenities: ['Parking', 'Delivery'], page: 2 }))).toBe(
      '/search?rating=4&amenities=Parking%2CDelivery&page=2',
    )
  })
  it('ROUTE-09: stays on a path as long as that says the truth', () => {
    const base = { pathname: '/search/madrid/hair', findLoc: 'Madrid', category: 'Hair Salons' }
    const here = terms({ findLoc: 'Madrid', category: 'Hair Salons' })
    expect(addressOf(here, base)).toBe('/search/madrid/hair')
    expect(addressOf({ ...here, page: 2 }, base)).toBe('/search/madrid/hair?page=2')
    expect(addressOf({ ...here, findLoc: 'Bilbao' }, base)).toBe(
      '/search?find_loc=Bilbao&category=Hair+Salons',
    )
  })
  it('ROUTE-11: a category page keeps its place and adds where', () => {
    const base = { pathname: '/category/hair', category: 'Hair Salons' }
    const here = terms({ findLoc: 'Madrid', category: 'Hair Salons' })
    expect(addressOf(here, base)).toBe('/category/hair?find_loc=Madrid')
  })
  it('reads back what it wrote', () => {
    const all = terms({
      findDesc: 'café 50%',
      findLoc: 'Sant Julià de Lòria',
      category: 'Beauty & Spas',
      page: 4,
      rating: 3.5,
      amenities: ['Parking', 'Free Wi-Fi'],
    })
    expect(read(addressOf(all).split('?')[1] ?? '')).toEqual({
      ...all,
      amenities: ['Parking', 'Free Wi-Fi'],
    })
  })
})

describe('a category', () => {
  const all = [
    { name: 'Beauty & Spas', code: 'beautysvc' },
    { name: 'Spa & Wellness', code: 'spa-wellness' },
    { name: 'Hair Salons', code: 'hair' },
  ]
  it('C-24, ROUTE-11: is found by label, code and either kind of slug', () => {
    expect(findCategory('Beauty & Spas', all)?.code).toBe('beautysvc')
    expect(findCategory('beautysvc', all)?.code).toBe('beautysvc')
    expect(findCategory('beauty-spas', all)?.code).toBe('beautysvc')
    expect(findCategory('spa-wellness', all)?.code).toBe('spa-wellness')
    expect(findCategory('hair-salons', all)?.code).toBe('hair')
    expect(findCategory('astronauts', all)).toBeUndefined()
  })
  it('converts an unknown slug to words', () => {
    expect(wordsOf('el-born')).toBe('el born')
  })
})

describe('SEARCH-03: the heading', () => {
  it.each([
    ['corte', 'Madrid', 'corte in Madrid'],
    ['corte', '', 'Search results for "corte"'],
    ['', 'Madrid', 'Businesses in Madrid'],
    ['', '', 'Search Results'],
  ])('of %j and %j', (findDesc, findLoc, heading) => {
    expect(headingOf(terms({ findDesc, findLoc }))).toBe(heading)
  })
})

describe('issue 19: the document’s title names what, where and the category', () => {
  it.each([
    ['', '', '', 'Search Results'],
    ['', '', 'Restaurants', 'Restaurants'],
    ['', 'Madrid', '', 'Businesses in Madrid'],
    ['', 'Madrid', 'Restaurants', 'Restaurants in Madrid'],
    ['pizza', '', 'Restaurants', 'Search results for "pizza" · Restaurants'],
    ['pizza', 'Madrid', 'Restaurants', 'pizza in Madrid · Restaurants'],
  ])('of %j, %j and %j', (findDesc, findLoc, category, title) => {
    expect(documentTitleOf(terms({ findDesc, findLoc }), category)).toBe(title)
  })
})

describe('SEARCH-04: the results title', () => {
  it.each([
    ['corte', 'Hair Salons', 'Results for "corte" in Hair Salons'],
    ['corte', '', 'Results for "corte"'],
    ['', 'Hair Salons', 'Hair Salons businesses'],
    ['', '', 'All businesses'],
  ])('of %j and %j', (findDesc, category, title) => {
    expect(resultsTitleOf(terms({ findDesc }), category)).toBe(title)
  })
})

it('SEARCH-16: knows whether anything was asked for', () => {
  expect(isNarrowed(terms({ page: 4 }))).toBe(false)
  const narrowed: Partial<Terms>[] = [
    { findDesc: 'a' },
    { findLoc: 'a' },
    { category: 'a' },
    { rating: 4 },
    { amenities: ['Parking'] },
    { open: true },
    { on: '2026-11-25' },
    { priceMax: 5 },
    { within: 5 },
    { bounds: '1,2,3,4' },
  ]
  expect(narrowed.every((given) => isNarrowed(terms(given)))).toBe(true)
  expect(filterCount(terms({ rating: 4, amenities: ['Parking'] }))).toBe(2)
})
