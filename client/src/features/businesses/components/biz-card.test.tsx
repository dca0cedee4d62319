import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '@/testing/render'
import type { CardBusiness } from '../model/business-card'
import { BizCard } from './biz-card'

const business: CardBusiness = {
  id: 'b0b0b0b0-0000-4000-8000-000000000001',
  name: 'Barbería Ribera',
  type: 'Barbers',
  location: 'El Born, Barcelona',
  phone: '+34 930 000 000',
  image_url: null,
  hours: null,
  rating: 4.2,
  combined_rating: 4.84,
  user_ratings_total: 214,
  owner_id: null,
  category_code: 'beautysvc',
  time_zone: 'Europe/Madrid',
  price_from: 25,
  latitude: 41.38,
  longitude: 2.18,
}

function show(overrides: Partial<CardBusiness> = {}) {
  return renderApp(
    <BizCard
      business={{ ...business, ...overrides }}
      topCategory="beautysvc"
      shape="row"
      now={new Date('2026-11-25T10:00:00Z')}
    />,
  )
}

describe('a business card', () => {
  it('SEARCH-20: links to the business and shows name, type, location and phone', () => {
    show()
    const link = screen.getByRole('link', { name: 'Barbería Ribera' })
    expect(link.getAttribute('href')).toBe(`/business/${business.id}`)
    expect(screen.getByText('Barbers · El Born, Barcelona')).toBeTruthy()
    expect(screen.getByText('+34 930 000 000')).toBeTruthy()
  })
  it('SEARCH-20: has a tile in place of a missing photo, and the photo when there is one', () => {
    const { container, unmount } = show()
    expect(container.querySelector('[data-tile]')).toBeTruthy()
    unmount()
    const photo = show({ image_url: 'https://example.org/a.jpg' }).container
    expect(photo.querySelector('img')?.getAttribute('src')).toBe('https://example.org/a.jpg')
    expect(photo.querySelector('[data-tile]')).toBeNull()
  })
  it('SEARCH-21: shows the combined rating with one decimal', () => {
    show()
    expect(screen.getByText('Rated 4.8 out of 5, 214 reviews')).toBeTruthy()
  })
  it('says what its cheapest service costs, where it has one', () => {
    const { unmount } = show()
    expect(screen.getByText('$25')).toBeTruthy()
    unmount()
    show({ price_from: null })
    expect(screen.queryByText('from')).toBeNull()
  })
  it("SEARCH-22: says 'Hours not available' when there are none", () => {
    show()
    expect(screen.getByText('Hours not available')).toBeTruthy()
  })
})
