import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppToast } from './app-toast'
import { notificationToasts } from './notification-toaster'
import { dismissToast, showToast } from './toast'

it('UI-03: one app toast at a time, the newest', () => {
  render(<AppToast />)
  act(() => showToast({ title: 'Added to favorites' }))
  act(() => showToast({ title: 'Signed Out', text: 'See you soon' }))
  expect(screen.queryByText('Added to favorites')).toBeNull()
  expect(screen.getByText('Signed Out')).toBeTruthy()
  act(() => dismissToast())
  expect(screen.queryByText('Signed Out')).toBeNull()
})

it('UI-03: a toast is announced by a region that was there before', () => {
  render(<AppToast />)
  expect(screen.getByRole('region', { name: 'Message' }).getAttribute('aria-live')).toBe('polite')
})

it('UI-04: the notification toaster shows 3 for 4 s', () => {
  expect(notificationToasts).toEqual({ visible: 3, durationMs: 4000 })
})
