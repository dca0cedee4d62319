import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { showToast } from '@/components/ui/toast'
import { renderApp } from '@/testing/render'
import { LogoPanel } from './logo-panel'

vi.mock('@/components/ui/toast', () => ({ showToast: vi.fn() }))
afterEach(() => vi.unstubAllGlobals())

it.each([
  ['is removed', 200, { title: 'Logo removed', tone: 'success' }],
  ['is not removed', 403, { title: 'Logo not removed', tone: 'danger' }],
])('SUB-07: a logo that %s after another tab is chosen', async (_outcome, status, toast) => {
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => answer.promise)
  const onChanged = vi.fn()
  const business = { id: 'b', name: 'Shop', logo_url: '/logo.png', logo: '/logo.png' }
  const panel = { userId: 'u', business, hasLogos: true, plansHref: '/plans', onChanged }
  const { unmount } = renderApp(<LogoPanel {...panel} />)
  await userEvent.click(screen.getByRole('button', { name: /Remove/ }))
  unmount()
  const body = status === 200 ? '[{"id":"b"}]' : '{"code":"42501","message":"no"}'
  answer.resolve(new Response(body, { status, headers: { 'Content-Type': 'application/json' } }))
  await expect.poll(() => onChanged.mock.calls.length).toBe(1)
  expect(showToast).toHaveBeenLastCalledWith(toast)
})
