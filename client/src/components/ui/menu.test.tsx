import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { Menu } from './menu'

it('walks with arrows and letters, and closes on a choice', async () => {
  const user = userEvent.setup()
  const onSelect = vi.fn()
  renderApp(
    <Menu
      label="Account"
      trigger={(props) => <button {...props}>Open</button>}
      groups={[
        [
          { key: 'd', label: 'Dashboard', to: '/dashboard' },
          { key: 's', label: 'Settings', to: '/profile' },
        ],
        [{ key: 'l', label: 'Log out', onSelect }],
      ]}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Open' }))
  const names = () => document.activeElement?.textContent
  await waitFor(() => expect(names()).toBe('Dashboard'))
  await user.keyboard('{ArrowDown}')
  expect(names()).toBe('Settings')
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(names()).toBe('Dashboard')
  await user.keyboard('l{Enter}')
  expect(onSelect).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menuitem', { name: 'Log out' })).toBeNull()
})
