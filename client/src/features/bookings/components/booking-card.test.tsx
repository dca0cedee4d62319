import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import type { Booking } from '../model/booking'
import { BookingCard } from './booking-card'

const now = new Date('2026-11-21T12:00:00Z')
const booking: Booking = {
  id: 'b1',
  businessName: "Cabells de l'Eixample",
  businessKey: 'k1',
  place: 'Carrer de Girona 12, Barcelona',
  serviceId: 's1',
  serviceName: 'Corte y peinado',
  duration: 45,
  price: 28,
  date: '2026-11-25',
  start: '11:00',
  end: '11:45',
  zone: 'Europe/Madrid',
  status: 'confirmed',
  notes: null,
  cancelKind: null,
  cancelReason: null,
  proposal: null,
}

function show(change: Partial<Booking> = {}) {
  const onCancel = vi.fn()
  const onMove = vi.fn()
  const onReview = vi.fn()
  const shown = { ...booking, ...change }
  renderApp(
    <BookingCard
      booking={shown}
      now={now}
      onCancel={onCancel}
      onMove={onMove}
      calendarHref={() => 'data:text/calendar,x'}
      onReview={onReview}
    />,
  )
  return { onCancel, onMove, onReview, shown }
}

describe('a booking', () => {
  it('BOOK-19: business, service, duration, price and day', () => {
    show()
    const link = screen.getByRole('link', { name: "Cabells de l'Eixample" })
    expect(link.getAttribute('href')).toBe('/business/k1')
    const text = screen.getByRole('article').textContent
    for (const part of ['Corte y peinado', '45 min', '$28.00', 'Wed 25 Nov, 11:00–11:45']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('In 4 days')
  })
  it('BOOK-18: can be cancelled, and says which', async () => {
    const { onCancel, shown } = show()
    await userEvent.click(screen.getByRole('button', { name: /^Cancel booking.*Cabells/ }))
    expect(onCancel).toHaveBeenCalledExactlyOnceWith(shown)
  })
  it('BOOK-18: can be moved, and says which', async () => {
    const { onMove, shown } = show()
    await userEvent.click(screen.getByRole('button', { name: /^Change time.*Cabells/ }))
    expect(onMove).toHaveBeenCalledExactlyOnceWith(shown)
  })
  it('BOOK-19: shows the reason for declining', () => {
    show({ status: 'cancelled', cancelKind: 'declined', cancelReason: 'We are away that day' })
    expect(screen.getByText('Declined')).toBeTruthy()
    const text = screen.getByRole('article').textContent
    expect(text).toContain('The business declined your request')
    expect(text).toContain('We are away that day')
  })
  it('carries its calendar file', () => {
    show()
    const link = screen.getByRole('link', { name: /^Add to calendar/ })
    expect(link.getAttribute('download')).toBe('plaza-2026-11-25.ics')
  })
  it('BOOK-17: one that is over is reviewed or booked again', async () => {
    const { onReview } = show({ status: 'completed', date: '2026-11-10' })
    expect(screen.getByText('Completed')).toBeTruthy()
    expect(screen.getAllByRole('button')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: /^Review this visit/ }))
    expect(onReview).toHaveBeenCalledWith('k1')
    const again = screen.getByRole('link', { name: /^Book again/ })
    expect(again.getAttribute('href')).toBe('/business/k1?service=s1')
  })
  it('outlives its business', () => {
    show({ businessKey: null, place: '', status: 'completed', date: '2026-11-10' })
    expect(screen.getByText('This business is no longer listed')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })
  it('a service for nothing is free', () => {
    show({ price: 0 })
    expect(screen.getByRole('article').textContent).toContain('45 min · Free')
  })
})
