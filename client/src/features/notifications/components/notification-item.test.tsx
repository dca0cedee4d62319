import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import type { Notification } from '../model/notification'
import { NotificationItem } from './notification-item'

const item: Notification = {
  id: 'n1',
  type: 'booking',
  title: 'Your booking was confirmed',
  content: 'See you soon.',
  link: '/bookings',
  isRead: false,
  createdAt: '2026-11-21T11:00:00Z',
}

function show(change: Partial<Notification> = {}) {
  const onFollow = vi.fn()
  const now = new Date('2026-11-21T12:00:00Z')
  renderApp(<NotificationItem item={{ ...item, ...change }} now={now} onFollow={onFollow} />)
  return onFollow
}

it('NOTIF-01, NOTIF-03: says its type, that it is unread, and when', () => {
  show()
  const text = screen.getByRole('article').textContent
  for (const part of ['Booking', 'Unread', 'See you soon.', '1 h ago']) {
    expect(text).toContain(part)
  }
})

it('leads to what it is about', async () => {
  const onFollow = show()
  const link = screen.getByRole('link', { name: 'Your booking was confirmed' })
  expect(link.getAttribute('href')).toBe('/bookings')
  await userEvent.click(link)
  expect(onFollow).toHaveBeenCalledExactlyOnceWith(item)
})

it('NOTIF-03: a read one without a page is only text', () => {
  show({ isRead: true, link: null })
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByRole('article').textContent).not.toContain('Unread')
})
