import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AppToast } from '@/components/ui/app-toast'
import { renderApp } from '@/testing/render'
import { ChangePasswordForm } from './change-password-form'

function show() {
  renderApp(
    <>
      <ChangePasswordForm email="ona@plaza.test" />
      <AppToast />
    </>,
  )
  return userEvent.setup()
}

const submit = () => screen.getByRole('button', { name: 'Change Password' })

it('PROFILE-05: all three fields are needed before it can be sent', async () => {
  const user = show()
  for (const label of ['Current password', 'New password', 'Confirm new password']) {
    expect(submit()).toHaveProperty('disabled', true)
    await user.type(screen.getByLabelText(label), 'Secret-pass-1')
  }
  expect(submit()).toHaveProperty('disabled', false)
})

it('PROFILE-06, PROFILE-07: a mismatch and too short have their titles', async () => {
  const user = show()
  await user.type(screen.getByLabelText('Current password'), 'x')
  await user.type(screen.getByLabelText('New password'), 'aA1aA')
  await user.type(screen.getByLabelText('Confirm new password'), 'aA1aA')
  await user.click(submit())
  expect(await screen.findByText('Password too short')).toBeTruthy()
  const told = screen.getAllByText('Password must be at least 6 characters long')
  expect(told.length).toBe(2)
  await user.type(screen.getByLabelText('New password'), 'aA1')
  await user.click(submit())
  expect(await screen.findByText('Passwords do not match')).toBeTruthy()
  expect(screen.getAllByText('New password and confirmation must match').length).toBe(2)
})
