import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { NoticeSettings } from './notice-settings'

afterEach(() => vi.unstubAllGlobals())

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json' },
  })

it('says which switch was not saved, and shows what is stored after several presses', async () => {
  let stored: { kind: string; by_mail: boolean }[] = []
  let isBroken = true
  vi.stubGlobal('fetch', async (input: unknown, init: RequestInit) => {
    if (init.method !== 'POST') return json(stored)
    const row = JSON.parse(String(init.body))
    if (isBroken && row.kind === 'booking_answered') {
      return json({ code: '42501', message: String(input) }, 403)
    }
    stored = [...stored.filter(({ kind }) => kind !== row.kind), row]
    return json(null, 201)
  })
  renderApp(<NoticeSettings userId="u" isOwner={false} />)
  const user = userEvent.setup()
  const answers = await screen.findByRole('switch', { name: 'Answers to bookings' })
  await user.click(answers)
  await user.click(answers)
  await user.click(screen.getByRole('switch', { name: 'Changed times' }))
  expect(await screen.findByText('Not saved: Answers to bookings')).toBeTruthy()
  await expect.poll(() => (answers as HTMLInputElement).checked).toBe(true)
  await expect.poll(() => stored).toEqual([expect.objectContaining({ kind: 'booking_changed' })])

  isBroken = false
  await user.click(answers)
  expect(screen.queryByText('Not saved: Answers to bookings')).toBeNull()
  await expect.poll(() => stored.length).toBe(2)
})
