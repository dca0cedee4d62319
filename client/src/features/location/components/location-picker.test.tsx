import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { LocationPicker } from './location-picker'

// The geolocation service is external; its response or failure is mocked here.
const service = vi.fn<typeof fetch>()

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('fetch', service)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const answer = (city: string, country_name: string) => async () =>
  new Response(JSON.stringify({ city, country_name }))

describe('the location picker', () => {
  it('LOC-04, LOC-06: shows the detected city and that it was detected', async () => {
    service.mockImplementation(answer('Barcelona', 'Spain'))
    renderApp(<LocationPicker />)
    expect(await screen.findByText('· auto-detected')).toBeTruthy()
    expect(screen.getByRole('button', { name: /Barcelona/ })).toBeTruthy()
  })

  it('LOC-07: falls back to Andorra when the look-up fails, and asks again next time', async () => {
    service.mockRejectedValue(new TypeError('Failed to fetch'))
    renderApp(<LocationPicker />)
    expect(await screen.findByText('· default location')).toBeTruthy()
    expect(screen.getByRole('button', { name: /Andorra/ })).toBeTruthy()
    expect(localStorage.getItem('plaza.location')).toBeNull()
  })

  it('LOC-09: says that a detected city is not served and what is shown instead', async () => {
    service.mockImplementation(answer('Lyon', 'France'))
    renderApp(<LocationPicker />)
    expect(await screen.findByText('Aún no estamos en Lyon; te enseñamos Andorra.')).toBeTruthy()
  })

  it('LOC-01 to LOC-04: a city is searched for, chosen and remembered', async () => {
    const user = userEvent.setup()
    service.mockImplementation(answer('Barcelona', 'Spain'))
    const first = renderApp(<LocationPicker />)
    await user.click(await screen.findByRole('button', { name: /Barcelona/ }))
    const box = screen.getByPlaceholderText('Search cities...')
    expect(screen.getAllByRole('option')).toHaveLength(7)
    await user.type(box, 'lugo')
    expect(screen.getByText('No cities found')).toBeTruthy()
    await user.clear(box)
    await user.type(box, 'sevi{Enter}')
    expect(await screen.findByText('· manual selection')).toBeTruthy()
    expect(screen.getByRole('button', { name: /Seville/ })).toBeTruthy()
    first.unmount()

    renderApp(<LocationPicker />)
    expect(await screen.findByText('· saved location')).toBeTruthy()
    expect(screen.getByRole('button', { name: /Seville/ })).toBeTruthy()
  })

  it('keeps a city chosen while the visitor is still being located', async () => {
    const user = userEvent.setup()
    let located = () => {}
    service.mockImplementation(
      (_input, init) =>
        new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          located = () => void answer('Barcelona', 'Spain')().then(resolve)
        }),
    )
    renderApp(<LocationPicker />)
    await user.click(screen.getByRole('button', { name: /Andorra/ }))
    await vi.waitFor(() => expect(service).toHaveBeenCalledOnce())
    await user.type(screen.getByPlaceholderText('Search cities...'), 'sevi{Enter}')
    located()
    await act(() => new Promise<void>((resolve) => setTimeout(resolve)))
    expect(screen.getByText('· manual selection')).toBeTruthy()
    expect(screen.getByRole('button', { name: /Seville/ })).toBeTruthy()
    expect(localStorage.getItem('plaza.location')).toContain('Seville')
  })
})
