import { describe, expect, it } from 'vitest'
import { distributionOf, parseAmenities, photosOf, sourcesOf, websiteOf } from './business-details'

describe('photos', () => {
  const photo = (id: string, url: string) => ({ id, photo_url: url, caption: null })
  const urls = (image: string | null, ...photos: ReturnType<typeof photo>[]) =>
    photosOf({ name: 'A', image_url: image, photos }).map(({ url }) => url)
  it('BIZ-10: cover first, none twice', () => {
    expect(urls('/c.jpg', photo('1', '/a.jpg'), photo('2', '/c.jpg'))).toEqual(['/c.jpg', '/a.jpg'])
  })
  it('BIZ-10: none when there are none', () => {
    expect(urls(null)).toEqual([])
    expect(urls('')).toEqual([])
  })
})

describe('BIZ-09: amenities', () => {
  it('are those on offer', () => {
    expect(
      parseAmenities([
        { name: 'Parking', icon: 'parking', available: true },
        { name: 'Sauna' },
        { name: 'Pool', available: false },
        { icon: 'x' },
        'Bar',
        null,
      ]),
    ).toEqual([
      { name: 'Parking', icon: 'parking' },
      { name: 'Sauna', icon: '' },
    ])
  })
  it('may be anything', () => {
    expect([null, 'a', {}, 3].map(parseAmenities)).toEqual([[], [], [], []])
  })
})

it('links only to web pages', () => {
  expect(websiteOf('https://www.example.org/a')).toEqual({
    href: 'https://www.example.org/a',
    label: 'example.org',
  })
  expect([null, '', 'javascript:alert(1)', 'example.org'].map(websiteOf)).toEqual([
    null,
    null,
    null,
    null,
  ])
})

it('BIZ-11: counts the reviews of each rating', () => {
  expect(
    distributionOf([
      { stars: 5, reviews: 2 },
      { stars: 1, reviews: 1 },
    ]).map(({ count }) => count),
  ).toEqual([2, 0, 0, 0, 1])
})

it('BIZ-05: knows which other guides the rating rests on', () => {
  const sources = [{ source: 'Guía local', count: 50, rating: 4.2 }, { source: 'x' }, null, 3]
  const of = (rating_sources: unknown) => sourcesOf({ user_ratings_total: 1052, rating_sources })
  expect(of(sources)).toBe('1,002 on Plaza, 50 at Guía local')
  expect(of([{ source: 'CSV-upload', count: 50 }])).toBe('1,002 on Plaza, 50 elsewhere')
  expect(of([{ source: 'A', count: 2000 }])).toBe('0 on Plaza, 2,000 at A')
  expect(of(null)).toBeNull()
})
