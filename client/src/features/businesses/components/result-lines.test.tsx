import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { ResultLines } from './result-lines'

const one = { id: 'b0b0b0b0-0000-4000-8000-000000000001', owner_id: 'o' }
const other = { id: 'b0b0b0b0-0000-4000-8000-000000000002', owner_id: null }

/** Mocks the responses of the two functions. */
function answer(slots: unknown[], services: unknown[]) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    asked.push(String(input))
    return Response.json(String(input).includes('next_free_slots') ? slots : services)
  })
  return asked
}

it('a result names the service that was meant, with its price, and the next free time', async () => {
  const asked = answer(
    [{ business_id: one.id, booking_date: '2026-11-25', start_time: '11:00:00' }],
    [{ business_id: one.id, name: 'Masaje relajante', price: 45 }],
  )
  const { container } = renderApp(
    <ResultLines business={one} rows={[one, other]} findDesc="masaje" />,
  )
  // Space for each line is reserved from the start.
  expect(container.querySelectorAll('p')).toHaveLength(2)
  expect(await screen.findByText('Masaje relajante')).toBeTruthy()
  expect(await screen.findByText('$45')).toBeTruthy()
  expect(await screen.findByText('Next: Wed 25 Nov, 11:00')).toBeTruthy()
  expect(container.querySelectorAll('p')).toHaveLength(2)
  expect(asked).toHaveLength(2)
})

it('says where nothing is free, and of a business without bookings nothing of times', async () => {
  const asked = answer([], [])
  const { container } = renderApp(
    <>
      <ResultLines business={one} rows={[one, other]} findDesc="" />
      <ResultLines business={other} rows={[one, other]} findDesc="" />
    </>,
  )
  expect(await screen.findByText('No free times soon')).toBeTruthy()
  expect(container.querySelectorAll('p')).toHaveLength(1)
  expect(asked).toHaveLength(1)
})
