import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppToast } from '@/components/ui/app-toast'
import { dismissToast } from '@/components/ui/toast'
import { createQueryClient } from '@/lib/query-client'
import { bookingsKeys } from '../api/keys'
import type { Booking } from '../model/booking'
import { BookingList } from './booking-list'

type Request = { method: string; url: string; answer: (response: Response) => void }

function booking(id: string, businessName: string): Booking {
  return {
    id,
    businessName,
    businessKey: 'k1',
    place: '',
    serviceId: 's1',
    serviceName: 'Haircut',
    duration: 45,
    price: 28,
    date: '2099-11-25',
    start: '11:00',
    end: '11:45',
    zone: 'Europe/Madrid',
    status: 'confirmed',
    notes: null,
    cancelKind: null,
    cancelReason: null,
    proposal: null,
  }
}

/** A booking as the data API returns it. */
const stored = {
  id: 'b21',
  business_id: 'k1',
  business_name: 'Bar Nou',
  service_id: 's1',
  service_name: 'Haircut',
  service_duration: 45,
  service_price: 28,
  booking_date: '2099-12-01',
  start_time: '11:00:00',
  end_time: '11:45:00',
  time_zone: 'Europe/Madrid',
  status: 'confirmed',
  notes: null,
  cancel_kind: null,
  cancel_reason: null,
  proposed_date: null,
  proposed_start: null,
  proposed_by: null,
  business: null,
}

const requests: Request[] = []

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('fetch', (input: string, { method = 'GET', signal }: RequestInit = {}) => {
    return new Promise<Response>((answer, fail) => {
      signal?.addEventListener('abort', () => fail(signal.reason))
      requests.push({ method, url: String(input), answer })
    })
  })
})
afterEach(() => {
  dismissToast()
  vi.unstubAllGlobals()
})

const refused = () =>
  Response.json({ code: 'PT409', details: 'booking_started', message: '' }, { status: 409 })

/** Waits for the n-th request of a kind. */
function request(method: string, index = 0): Promise<Request> {
  return waitFor(() => {
    const found = requests.filter((one) => one.method === method)[index]
    if (!found) throw new Error(`no ${method} request`)
    return found
  })
}

function show() {
  const queryClient = createQueryClient()
  const items = [booking('b1', 'Bar U'), booking('b2', 'Bar Dos')]
  queryClient.setQueryData(bookingsKeys.list('u1', 'upcoming'), {
    pages: [{ items, next: 20 }],
    pageParams: [0],
  })
  const list = (
    <BookingList userId="u1" view="upcoming" calendarHref={() => ''} onReview={() => undefined} />
  )
  const router = createMemoryRouter([
    { path: '/', element: list },
    { path: '/other', element: <p>Other</p> },
  ])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <AppToast />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), router }
}

const toast = () => screen.getByRole('region', { name: 'Message' }).textContent
const article = (name: string) =>
  screen.getAllByRole('article').find((one) => one.textContent?.includes(name))?.textContent

async function cancel(user: ReturnType<typeof userEvent.setup>, name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: new RegExp(`^Cancel booking.*${name}`) }))
  await user.click(screen.getByRole('button', { name: 'Cancel booking' }))
}

describe('a cancellation', () => {
  it('BOOK-18: is shown at once, and taken back if it fails', async () => {
    const { user } = show()
    await cancel(user, 'Bar U')
    const write = await request('POST')
    expect(article('Bar U')).toContain('Cancelled')
    expect(article('Bar Dos')).toContain('Confirmed')
    write.answer(refused())
    await waitFor(() => expect(toast()).toContain('It has started already.'))
    await waitFor(() => expect(article('Bar U')).toContain('Confirmed'))
  })
  it('a failure is reported after the list was left', async () => {
    const { user, router } = show()
    await cancel(user, 'Bar U')
    const write = await request('POST')
    await router.navigate('/other')
    await screen.findByText('Other')
    write.answer(refused())
    await waitFor(() => expect(toast()).toContain('The booking was not cancelled'))
  })
  it('a failure takes back only that one', async () => {
    const { user } = show()
    await cancel(user, 'Bar U')
    await cancel(user, 'Bar Dos')
    const first = await request('POST')
    await request('POST', 1)
    first.answer(refused())
    await waitFor(() => expect(toast()).toContain('The booking was not cancelled'))
    await waitFor(() => expect(article('Bar U')).toContain('Confirmed'))
    expect(article('Bar Dos')).toContain('Cancelled')
  })
  it('does not discard a page that is being loaded, which does not undo it', async () => {
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    const page = await request('GET')
    await cancel(user, 'Bar U')
    await request('POST')
    page.answer(Response.json([stored]))
    await waitFor(() => expect(article('Bar Nou')).toContain('Confirmed'))
    expect(article('Bar U')).toContain('Cancelled')
  })
})
