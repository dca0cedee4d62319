import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppToast } from '@/components/ui/app-toast'
import { dismissToast } from '@/components/ui/toast'
import { createQueryClient } from '@/lib/query-client'
import { businessBookingKeys } from '../api/keys'
import type { BusinessBooking } from '../model/business-booking'
import { BookingsScreen } from './bookings-screen'

// The channel that reports changes needs a server.
vi.mock('@/lib/live', () => ({ useLive: () => undefined }))

type Write = { body: string; answer: (response: Response) => void }

const businessId = '7c1f0c1a-0000-4000-8000-000000000000'
const anaId = '7c1f0c1a-0000-4000-8000-000000000001'
const bielId = '7c1f0c1a-0000-4000-8000-000000000002'

function booking(id: string, customer: string): BusinessBooking {
  return {
    id,
    customer,
    phone: null,
    isWalkIn: false,
    serviceName: 'Haircut',
    duration: 45,
    price: 28,
    date: '2099-11-25',
    start: '11:00',
    end: '11:45',
    zone: 'Europe/Madrid',
    status: 'pending',
    cancelKind: null,
    cancelReason: null,
    notes: null,
    privateNote: 'Likes coffee',
    proposal: null,
  }
}

const ana = booking(anaId, 'Ana')
const writes: Write[] = []

// Loading their code for the first time takes longer than a query waits.
beforeAll(async () => {
  await Promise.all([import('./booking-dialogs'), import('./booking-sheet')])
})
beforeEach(() => {
  writes.length = 0
  // Writes wait for the test's answer; reads have none, so that what is shown stays.
  vi.stubGlobal('fetch', (_input: string, init: RequestInit = {}) => {
    return new Promise<Response>((answer) => {
      if (init.method === 'POST') writes.push({ body: String(init.body), answer })
    })
  })
})
afterEach(() => {
  dismissToast()
  vi.unstubAllGlobals()
})

const done = () => Response.json([{ id: 'b' }])
const refused = () =>
  Response.json({ code: 'PT409', details: 'booking_started', message: '' }, { status: 409 })

/** Waits for the write that mentions a text. */
async function writeOf(text: string): Promise<Write> {
  return waitFor(() => {
    const write = writes.find(({ body }) => body.includes(text))
    if (!write) throw new Error(`no write of ${text}`)
    return write
  })
}

function show(search = '') {
  const queryClient = createQueryClient()
  const inbox = businessBookingKeys.inbox(businessId, { filter: 'open', page: 1 })
  queryClient.setQueryData(inbox, { rows: [ana, booking(bielId, 'Biel')], total: 2 })
  const detail = businessBookingKeys.detail(businessId, anaId)
  queryClient.setQueryData(detail, ana)
  const business = {
    id: businessId,
    name: 'Barberia',
    owner_id: 'o1',
    time_zone: 'Europe/Madrid',
    services: [],
  }
  const router = createMemoryRouter(
    [
      { path: '/', element: <BookingsScreen business={business} /> },
      { path: '/other', element: <p>Other</p> },
    ],
    { initialEntries: [`/${search}`] },
  )
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <AppToast />
    </QueryClientProvider>,
  )
  const change = (part: Partial<BusinessBooking>) =>
    queryClient.setQueryData(detail, { ...ana, ...part })
  return { user: userEvent.setup(), router, change }
}

const toast = () => screen.getByRole('region', { name: 'Message' }).textContent
// The same rows follow as cards, for phones.
const row = (name: RegExp) => within(screen.getByRole('table')).getByRole('button', { name })
const accept = (customer: string) => row(new RegExp(`^Accept.*${customer}`))

describe('several answers at a time', () => {
  it('each button stays busy, and each failure is reported', async () => {
    const { user } = show()
    await user.click(accept('Ana'))
    await user.click(accept('Biel'))
    const [first, second] = [await writeOf(anaId), await writeOf(bielId)]
    expect(accept('Ana')).toHaveProperty('disabled', true)
    expect(accept('Biel')).toHaveProperty('disabled', true)
    first.answer(refused())
    await waitFor(() => expect(toast()).toContain('It has started already.'))
    await waitFor(() => expect(accept('Ana')).toHaveProperty('disabled', false))
    expect(accept('Biel')).toHaveProperty('disabled', true)
    second.answer(done())
    await waitFor(() => expect(toast()).toContain('Booking accepted'))
  })
  it('no other answer to the same booking can be sent meanwhile', async () => {
    const { user } = show()
    await user.click(accept('Ana'))
    await writeOf(anaId)
    expect(row(/^Decline.*Ana/)).toHaveProperty('disabled', true)
    expect(row(/^Decline.*Biel/)).toHaveProperty('disabled', false)
  })
  it('a failure is reported after the screen was left', async () => {
    const { user, router } = show()
    await user.click(accept('Ana'))
    const write = await writeOf(anaId)
    await router.navigate('/other')
    await screen.findByText('Other')
    write.answer(refused())
    await waitFor(() => expect(toast()).toContain('The booking was not changed'))
  })
})

describe('a request is declined', () => {
  const dialog = () => screen.getByRole('dialog', { name: 'Decline this request?' })
  const confirm = () => within(dialog()).getByRole('button', { name: 'Decline' })

  async function decline() {
    const { user } = show()
    await user.click(row(/^Decline.*Ana/))
    await user.type(await screen.findByLabelText('Reason'), 'We are away')
    await user.click(confirm())
    return { user, write: await writeOf('We are away') }
  }

  it('the dialog stays open until the answer, and closes on success', async () => {
    const { write } = await decline()
    expect(confirm()).toHaveProperty('disabled', true)
    fireEvent(dialog(), new Event('cancel', { cancelable: true }))
    expect(dialog()).toBeTruthy()
    expect(screen.queryByText('Discard your changes?')).toBeNull()
    write.answer(done())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(toast()).toContain('Request declined')
  })
  it('a failure is shown in the dialog, and the reason is kept', async () => {
    const { user, write } = await decline()
    write.answer(refused())
    expect((await within(dialog()).findByRole('alert')).textContent).toContain(
      'It has started already.',
    )
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'We are away')
    writes.length = 0
    await user.click(confirm())
    await writeOf('We are away')
  })
})

describe('the private note', () => {
  const field = () => screen.findByLabelText('Note for yourself')
  const pressEscape = () =>
    fireEvent(
      screen.getByRole('dialog', { name: 'Ana' }),
      new Event('cancel', { cancelable: true }),
    )

  it('asks before a typed note is discarded', async () => {
    const { user, router } = show(`?booking=${anaId}`)
    await user.type(await field(), ', black')
    pressEscape()
    expect(screen.getByText('Discard your changes?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Keep editing' }))
    expect(await field()).toHaveProperty('value', 'Likes coffee, black')
    pressEscape()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })
  it('closes without a question if it is unchanged or saved', async () => {
    const { user, router } = show(`?booking=${anaId}`)
    await user.type(await field(), ', black')
    await user.click(screen.getByRole('button', { name: 'Save note' }))
    const write = await writeOf('black')
    write.answer(new Response(null, { status: 201 }))
    await screen.findByText('Note saved')
    expect(await field()).toHaveProperty('value', 'Likes coffee, black')
    pressEscape()
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })
  it('a failed save keeps the text, and closing still asks', async () => {
    const { user } = show(`?booking=${anaId}`)
    await user.type(await field(), ', black')
    await user.click(screen.getByRole('button', { name: 'Save note' }))
    const write = await writeOf('black')
    write.answer(Response.json({ code: 'XX000', message: '' }, { status: 500 }))
    await screen.findByText(/^The note was not saved/)
    expect(await field()).toHaveProperty('value', 'Likes coffee, black')
    pressEscape()
    expect(screen.getByText('Discard your changes?')).toBeTruthy()
  })
  it('a newer note replaces an untouched one, but not a typed one', async () => {
    const { user, change } = show(`?booking=${anaId}`)
    await field()
    change({ privateNote: 'Likes tea' })
    await waitFor(async () => expect(await field()).toHaveProperty('value', 'Likes tea'))
    await user.type(await field(), '!')
    change({ privateNote: 'Likes water', customer: 'Ana Puig' })
    await screen.findByRole('dialog', { name: 'Ana Puig' })
    expect(await field()).toHaveProperty('value', 'Likes tea!')
  })
})
