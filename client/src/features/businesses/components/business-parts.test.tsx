import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import type { Service } from '../model/business-details'
import { AmenityList } from './amenity-list'
import { BusinessMissing } from './business-states'
import { Gallery } from './gallery'
import { HoursTable } from './hours-table'
import { LocationCard } from './location-card'
import { ServiceList } from './service-list'

const service = (n: number): Service => ({
  id: `s${n}`,
  name: `Service ${n}`,
  description: null,
  price: 20 + n,
  duration: 30 * n,
})

describe('services', () => {
  it("BIZ-08: four, and the others behind 'View all services'", async () => {
    renderApp(
      <ServiceList
        services={[1, 2, 3, 4, 5].map(service)}
        chosen={null}
        onBook={() => undefined}
      />,
    )
    expect(screen.getAllByRole('listitem')).toHaveLength(4)
    await userEvent.click(screen.getByRole('button', { name: 'View all services' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(5)
    expect(screen.queryByRole('button', { name: 'View all services' })).toBeNull()
  })
  it('BIZ-12: each has its own Book button', async () => {
    const onBook = vi.fn<(service: Service) => void>()
    renderApp(<ServiceList services={[service(1), service(2)]} chosen="s2" onBook={onBook} />)
    const second = screen.getByRole('button', { name: 'Book Service 2' })
    expect(second.getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(second)
    expect(onBook).toHaveBeenCalledWith(service(2))
    expect(screen.getByText('$22.00')).toBeTruthy()
    expect(screen.getByText('1 h')).toBeTruthy()
  })
  it('BIZ-12: says when there are none', () => {
    renderApp(<ServiceList services={[]} chosen={null} onBook={() => undefined} />)
    expect(screen.getByText('No services available.')).toBeTruthy()
  })
})

describe('hours', () => {
  const now = new Date('2026-11-25T10:00:00Z')
  it('BIZ-13: a line per weekday, today marked', () => {
    const hours = { structured: { wednesday: { open: '10:00', close: '20:00', isOpen: true } } }
    renderApp(<HoursTable stored={hours} timeZone="Europe/Madrid" now={now} />)
    expect(screen.getAllByRole('row')).toHaveLength(7)
    expect(screen.getByRole('row', { name: /wednesday/i }).textContent).toContain('10:00 – 20:00')
    expect(screen.getByRole('row', { name: /wednesday/i }).textContent).toContain('Today')
    expect(screen.getByRole('row', { name: /monday/i }).textContent).toContain('Closed')
  })
  it('BIZ-13: says when there are none', () => {
    renderApp(<HoursTable stored={null} timeZone="Europe/Madrid" now={now} />)
    expect(screen.getByText('No business hours information available.')).toBeTruthy()
  })
})

describe('photos', () => {
  it("BIZ-10: one tile and 'No photos available' when there are none", () => {
    const { container } = renderApp(<Gallery id="b1" name="A" topCategory="auto" photos={[]} />)
    expect(container.querySelectorAll('[data-tile]')).toHaveLength(1)
    expect(screen.getByText('No photos available')).toBeTruthy()
  })
  it('BIZ-10: one large and two small ones, each named', () => {
    const photos = ['a', 'b', 'c', 'd'].map((id) => ({ id, url: `/${id}.jpg`, caption: null }))
    renderApp(<Gallery id="b1" name="Casa Núria" topCategory="auto" photos={photos} />)
    const images = screen.getAllByRole('img')
    expect(images.map((image) => image.getAttribute('alt'))).toEqual([
      'Casa Núria, photo 1 of 4',
      'Casa Núria, photo 2 of 4',
      'Casa Núria, photo 3 of 4',
    ])
    expect(screen.getByRole('button', { name: 'View all 4 photos' })).toBeTruthy()
  })
})

it('BIZ-03: a missing business', () => {
  renderApp(<BusinessMissing />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Business Not Found')
  expect(
    screen.getByText("The business you're looking for doesn't exist or may have been removed."),
  ).toBeTruthy()
})

it('BIZ-09: amenities, and an address with the way there', () => {
  renderApp(<AmenityList stored={[{ name: 'Parking', icon: 'parking', available: true }]} />)
  expect(screen.getByText('Parking')).toBeTruthy()
  const place = { address: null, location: 'Gràcia, Barcelona', latitude: 0, longitude: 0 }
  renderApp(<LocationCard place={place} />)
  expect(screen.getByText('Gràcia, Barcelona')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Directions' }).getAttribute('href')).toBe(
    'https://www.openstreetmap.org/search?query=Gr%C3%A0cia%2C%20Barcelona',
  )
})
