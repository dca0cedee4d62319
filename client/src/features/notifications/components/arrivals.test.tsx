import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast } from 'sonner'
import { afterEach, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { notificationKeys } from '../api/keys'
import { useMarkAllRead } from '../api/mutations'
import { Arrivals } from './arrivals'

vi.mock('sonner', () => ({ toast: vi.fn() }))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.mocked(toast).mockClear()
})

function MarkAll() {
  const { mutate, isError } = useMarkAllRead('u')
  return (
    <button type="button" onClick={() => mutate()}>
      {isError ? 'Refused' : 'Mark all'}
    </button>
  )
}

const notice = (id: number) => ({
  id: String(id),
  type: 'other',
  title: `Notice ${id}`,
  content: '',
  link: null,
  read: false,
  created_at: '2026-11-30T10:00:00Z',
})

it('UI-04: shows what arrives, and nothing old when marking all as read is refused', async () => {
  let count = 2
  const refusal = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', async (input: unknown, init: RequestInit) => {
    if (init.method === 'PATCH') return refusal.promise
    const isCount = String(input).includes('select=id&')
    const rows = Array.from({ length: count }, (_, index) => notice(count - index))
    return new Response(JSON.stringify(isCount ? rows.slice(0, 1) : rows), {
      headers: { 'Content-Range': `0-0/${count}`, 'Content-Type': 'application/json' },
    })
  })
  const { queryClient } = renderApp(
    <>
      <Arrivals userId="u" />
      <MarkAll />
    </>,
  )
  const unread = () => queryClient.getQueryData(notificationKeys.unread('u'))
  await expect.poll(unread).toBe(2)
  await userEvent.click(screen.getByRole('button'))
  await expect.poll(unread).toBe(0)
  refusal.resolve(new Response('{"code":"42501","message":"no"}', { status: 403 }))
  await screen.findByText('Refused')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(unread()).toBe(2)
  expect(toast).not.toHaveBeenCalled()

  count = 3
  await queryClient.invalidateQueries({ queryKey: notificationKeys.all })
  await expect.poll(() => vi.mocked(toast).mock.calls.map(([title]) => title)).toEqual(['Notice 3'])
})
