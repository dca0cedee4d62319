import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '@/lib/errors'
import { renderApp } from '@/testing/render'
import { backupCode, SecondFactorForm } from './second-factor-form'

function show(onProof = vi.fn(async () => undefined)) {
  renderApp(<SecondFactorForm submitLabel="Verify" onProof={onProof} />)
  return { user: userEvent.setup(), onProof }
}

describe('the code of the second factor', () => {
  it('SEC-10: takes six digits, which phones can fill, and is sent once it is whole', async () => {
    const { user, onProof } = show()
    const input = screen.getByLabelText('Verification code')
    expect(input).toBe(document.activeElement)
    expect(input.getAttribute('maxlength')).toBe('6')
    expect(input.getAttribute('autocomplete')).toBe('one-time-code')
    await user.type(input, '12a345')
    expect(onProof).not.toHaveBeenCalled()
    await user.type(input, '6')
    expect(onProof).toHaveBeenCalledExactlyOnceWith({ kind: 'totp', code: '123456' })
  })
  it('SEC-10: a pasted code may have a space', async () => {
    const { user, onProof } = show()
    await user.click(screen.getByLabelText('Verification code'))
    await user.paste('123 456')
    expect(onProof).toHaveBeenCalledExactlyOnceWith({ kind: 'totp', code: '123456' })
  })
  it('SEC-11: nothing typed', async () => {
    const { user, onProof } = show()
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(screen.getByText('Please enter verification code')).toBeTruthy()
    expect(onProof).not.toHaveBeenCalled()
  })
  it('ERR-67: a wrong one is said at the field, and kept', async () => {
    const { user } = show(
      vi.fn(async () => {
        throw new AppError('mfa_verification_failed', 'raw', { status: 422 })
      }),
    )
    const input = screen.getByLabelText('Verification code')
    await user.type(input, '123456')
    const error = await screen.findByText(/^Invalid TOTP code/)
    expect(input.getAttribute('aria-describedby')?.split(' ')).toContain(error.id)
    expect(input).toHaveProperty('value', '123456')
  })
  it('C-12, SEC-13: a backup code has a second input behind a link, in capitals', async () => {
    const { user, onProof } = show()
    await user.click(screen.getByRole('button', { name: 'Use a backup code' }))
    const input = screen.getByLabelText('Backup code')
    expect(input).toBe(document.activeElement)
    await user.type(input, 'abcd-2345')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(onProof).toHaveBeenCalledExactlyOnceWith({ kind: 'backup', code: 'ABCD2345' })
    await user.click(screen.getByRole('button', { name: 'Use the authenticator app' }))
    expect(screen.getByLabelText('Verification code')).toHaveProperty('value', '')
  })
})

it('SEC-13: a backup code is compared in upper case', () => {
  expect(['abcd2345', ' ABCD 2345 ', 'abcd-2345x'].map(backupCode)).toEqual([
    'ABCD2345',
    'ABCD2345',
    'ABCD2345',
  ])
})
