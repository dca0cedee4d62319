import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider, useSearchParams } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { extras } from '@/app/search/load-extras'
import { toastStore } from '@/components/ui/toast'
import { readTerms } from '@/features/search/model/terms'
import { createQueryClient } from '@/lib/query-client'
import { SearchScreen } from './search-screen'

const position = { coords: { latitude: 41.4, longitude: 2.2 } } as GeolocationPosition
// The browser's geolocation; it answers when the test does.
const locate = vi.fn<Geolocation['getCurrentPosition']>()

beforeEach(() => {
  const geolocation = { getCurrentPosition: locate } as unknown as Geolocation
  vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue(geolocation)
  // The results stay away: the order can be chosen before they are there.
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
})
afterEach(() => {
  locate.mockClear()
  vi.unstubAllGlobals()
})

function Search() {
  const [params] = useSearchParams()
  return <SearchScreen terms={readTerms(params)} />
}

/** The search screen, on which Nearest has been chosen. */
async function chooseNearest() {
  const slow = Promise.withResolvers<null>()
  const router = createMemoryRouter(
    [
      { path: '/search', element: <Search /> },
      { path: '/business/:id', element: <p>A business</p> },
      {
        path: '/slow',
        loader: () => slow.promise,
        element: <p>A slow page</p>,
      },
    ],
    { initialEntries: ['/search'] },
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await extras()
  const user = userEvent.setup()
  const order = await screen.findByRole('combobox', { name: 'Sort by' })
  const choose = () => user.selectOptions(order, 'Nearest')
  await choose()
  await vi.waitFor(() => expect(locate).toHaveBeenCalledOnce())
  const address = () => router.state.location.pathname + router.state.location.search
  return { user, router, order, choose, address, load: () => slow.resolve(null) }
}

// Lets everything run that waits for nothing else.
const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))
async function answer() {
  locate.mock.lastCall?.[0](position)
  await settle()
}
async function refuse() {
  locate.mock.lastCall?.[1]?.({} as GeolocationPositionError)
  await settle()
}

describe('sorting by distance without a place', () => {
  it('waits for the position', async () => {
    const { address } = await chooseNearest()
    expect(address()).toBe('/search')
    await answer()
    expect(address()).toBe('/search?near=41.4%2C2.2&sort=distance')
  })

  it('shows the former order if there is no position, says so, and can be chosen again', async () => {
    const { order, choose, address } = await chooseNearest()
    await refuse()
    expect(order).toHaveProperty('value', '')
    expect(toastStore.current()?.title).toBe('Your position is not known')
    await choose()
    await vi.waitFor(() => expect(locate).toHaveBeenCalledTimes(2))
    await answer()
    expect(address()).toBe('/search?near=41.4%2C2.2&sort=distance')
  })

  it('does not lead back from a screen opened meanwhile', async () => {
    const { router, address } = await chooseNearest()
    await act(() => router.navigate('/business/1'))
    await answer()
    expect(address()).toBe('/business/1')
  })

  it('says nothing on a screen opened meanwhile', async () => {
    const { router } = await chooseNearest()
    const before = toastStore.current()
    await act(() => router.navigate('/business/1'))
    await refuse()
    expect(toastStore.current()).toBe(before)
  })

  it('does not stop a screen that is being loaded', async () => {
    const { router, address, load } = await chooseNearest()
    const opened = router.navigate('/slow')
    await settle()
    await answer()
    load()
    await act(() => opened)
    expect(address()).toBe('/slow')
  })

  it('yields to a filter set meanwhile', async () => {
    const { user, order, address } = await chooseNearest()
    await user.click(screen.getByRole('button', { name: 'Open now' }))
    await answer()
    expect(address()).toBe('/search?open=1')
    expect(order).toHaveProperty('value', '')
  })
})
