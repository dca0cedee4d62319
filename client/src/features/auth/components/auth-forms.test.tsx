import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { codeDigits } from '@/components/code-field'
import { renderApp } from '@/testing/render'
import { SignInForm } from './sign-in-form'
import { SignUpForm } from './sign-up-form'

const nothing = () => undefined

function showSignUp(role: 'user' | 'owner' = 'user') {
  renderApp(
    <SignUpForm
      email=""
      onEmail={nothing}
      role={role}
      emailRedirectTo="http://x/"
      onCreated={nothing}
    />,
  )
  return userEvent.setup()
}

describe('sign-up', () => {
  it('AUTH-02: name, email, password and its confirmation, known to password managers', () => {
    showSignUp()
    const hints = ['Full name', 'Email', 'Password', 'Confirm password'].map((label) =>
      screen.getByLabelText(label).getAttribute('autocomplete'),
    )
    expect(hints).toEqual(['name', 'email', 'new-password', 'new-password'])
  })
  it('RULE-03, RULE-04: the rules are ticked off while one types, or pastes', async () => {
    const user = showSignUp()
    const rules = screen.getByRole('list', { name: 'Your password needs' })
    const met = () => [...rules.querySelectorAll('li')].map((li) => li.textContent).join(' | ')
    expect(met()).not.toMatch(/: met\b(?! yet)/)
    await user.click(screen.getByLabelText('Password'))
    await user.paste('Secret-pass-1')
    expect(screen.getByLabelText('Password')).toHaveProperty('value', 'Secret-pass-1')
    expect(met()).not.toContain('not met yet')
  })
  it('RULE-05: a mismatch is said at the confirmation, and nothing is sent', async () => {
    const user = showSignUp()
    await user.type(screen.getByLabelText('Full name'), 'Ona')
    await user.type(screen.getByLabelText('Email'), 'ona@example.test')
    await user.type(screen.getByLabelText('Password'), 'Secret-pass-1')
    await user.type(screen.getByLabelText('Confirm password'), 'Secret-pass-2')
    await user.click(screen.getByRole('button', { name: 'Create Account' }))
    const error = await screen.findByText('Passwords do not match')
    const described = screen.getByLabelText('Confirm password').getAttribute('aria-describedby')
    expect(described?.split(' ')).toContain(error.id)
  })
  it('ROUTE-04, C-01: for owners it says what comes next', () => {
    showSignUp('owner')
    expect(screen.getByText('Sign up to list your business')).toBeTruthy()
  })
})

describe('sign-in', () => {
  it('AUTH-01: asks for what is missing and keeps what was typed', async () => {
    const user = userEvent.setup()
    const onEmail = vi.fn()
    renderApp(<SignInForm email="" onEmail={onEmail} onUnconfirmed={nothing} />)
    await user.type(screen.getByLabelText('Email'), 'ona')
    // Before the field loses the focus: the next form may appear while the user types.
    expect(onEmail).toHaveBeenLastCalledWith('ona')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Please enter a valid email address')).toBeTruthy()
    expect(screen.getByText('Please enter your password')).toBeTruthy()
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ona')
  })
  it('a password can be looked at', async () => {
    renderApp(<SignInForm email="" onEmail={nothing} onUnconfirmed={nothing} />)
    const password = screen.getByLabelText('Password')
    const show = screen.getByRole('button', { name: 'Show password' })
    expect(password.getAttribute('type')).toBe('password')
    await userEvent.click(show)
    expect(password.getAttribute('type')).toBe('text')
    expect(show.getAttribute('aria-pressed')).toBe('true')
  })
})

it('a code is read from however it is pasted', () => {
  expect(['123456', '123 456', 'Code: 123456', '12a', '1234567'].map(codeDigits)).toEqual([
    '123456',
    '123456',
    '123456',
    '12',
    '123456',
  ])
})
