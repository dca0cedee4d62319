import { describe, expect, it } from 'vitest'
import { AppError, unanswered } from '@/lib/errors'
import { messages } from '../messages'
import {
  changePasswordFailure,
  newPasswordFailure,
  phoneFailure,
  signInFailure,
  signUpFailure,
  verificationFailure,
} from './auth-error'

const error = (code: string, status = 400, message = 'raw words') =>
  new AppError(code, message, { status })
const offline = unanswered('offline')
const offlineText = 'You are offline. Check your connection and try again. What you typed is kept.'

describe('sign-in', () => {
  it('ERR-01: a wrong password or address, in the same words', () => {
    expect(signInFailure(error('invalid_credentials'))).toEqual({
      kind: 'failed',
      notice: {
        title: 'Sign In Failed',
        text: 'Invalid email or password. Please try again.',
      },
    })
  })
  it('ERR-02: unexpected failures', () => {
    const unexpected = {
      kind: 'failed',
      notice: { title: 'Sign In Error', text: 'Unable to sign in. Please try again later.' },
    }
    expect(signInFailure(error('unexpected_failure', 500))).toEqual(unexpected)
    expect(signInFailure(error('x', 501))).toEqual(unexpected)
    expect(signInFailure(new Error('boom'))).toEqual(unexpected)
  })
  it('ERR-02: offline is distinguished from other errors', () => {
    expect(signInFailure(offline)).toMatchObject({
      notice: { title: 'Sign In Error', text: offlineText },
    })
    expect(signInFailure(unanswered('network'))).toMatchObject({
      notice: { text: expect.stringMatching(/^Plaza cannot be reached.* is kept\.$/) },
    })
  })
  it('AUTH-10, ERR-12: a locked account, known by its sentence', () => {
    const text = 'Account is temporarily locked due to multiple failed login attempts'
    expect(signInFailure(error('invalid_credentials', 400, text))).toEqual({
      kind: 'locked',
      notice: { title: 'Sign In Failed', text },
    })
  })
  it('an unconfirmed address, and too many attempts', () => {
    expect(signInFailure(error('email_not_confirmed'))).toEqual({ kind: 'unconfirmed' })
    expect(signInFailure(error('over_request_rate_limit', 429))).toMatchObject({
      notice: { text: messages.tooMany },
    })
  })
})

describe('sign-up', () => {
  it('ERR-03, S-12: refusals in words of ours, at their field', () => {
    expect(signUpFailure(error('weak_password', 422))).toEqual({
      field: 'password',
      notice: { title: 'Sign Up Failed', text: messages.passwordWeak },
    })
    expect(signUpFailure(error('validation_failed')).field).toBe('email')
    expect(signUpFailure(error('signup_disabled', 422)).notice.title).toBe('Sign Up Failed')
    expect(signUpFailure(error('over_email_send_rate_limit', 429)).notice.text).toBe(
      messages.tooMany,
    )
  })
  it('ERR-04: anything else', () => {
    expect(signUpFailure(error('unexpected_failure', 500))).toEqual({
      field: null,
      notice: {
        title: 'Sign Up Error',
        text: 'Unable to create account. Please try again later.',
      },
    })
    expect(signUpFailure(offline).notice.text).toBe(offlineText)
  })
})

describe('a code', () => {
  it('ERR-08: a wrong or spent one', () => {
    expect(verificationFailure(error('otp_expired', 403))).toEqual({
      title: 'Verification Failed',
      text: 'Invalid verification code. Please try again.',
    })
  })
  it('ERR-09: one that could not be checked', () => {
    expect(verificationFailure(error('unexpected_failure', 500)).title).toBe('Verification Error')
    expect(verificationFailure(error('over_request_rate_limit', 429)).text).toBe(messages.tooMany)
    expect(verificationFailure(offline).text).toBe(offlineText)
  })
})

it('ERR-65: a new password that is refused', () => {
  expect(newPasswordFailure(error('same_password', 422)).field).toBe('password')
  expect(newPasswordFailure(error('weak_password', 422)).text).toBe(messages.passwordWeak)
  expect(newPasswordFailure(error('x', 500))).toEqual({
    field: null,
    text: messages.passwordErrorText,
  })
  expect(newPasswordFailure(offline).text).toBe(offlineText)
})

describe('changing the password', () => {
  it('C-09: a wrong current password is said at its field', () => {
    for (const code of ['current_password_invalid', 'current_password_required']) {
      expect(changePasswordFailure(error(code))).toEqual({
        field: 'current',
        text: messages.currentWrong,
      })
    }
  })
  it('ERR-65: the rest as for every new password', () => {
    expect(changePasswordFailure(error('same_password', 422)).field).toBe('password')
    expect(changePasswordFailure(error('over_request_rate_limit', 429))).toEqual({
      field: null,
      text: messages.tooMany,
    })
    expect(changePasswordFailure(offline)).toEqual({ field: null, text: offlineText })
  })
})

describe('a code for a phone', () => {
  it('ERR-07: a refusal by the server is a failure, anything else is an error', () => {
    expect(phoneFailure(error('validation_failed'))).toEqual({
      title: 'Phone Sign In Failed',
      text: messages.phoneInvalid,
    })
    expect(phoneFailure(error('over_sms_send_rate_limit', 429))).toEqual({
      title: 'Phone Sign In Failed',
      text: messages.tooMany,
    })
    expect(phoneFailure(error('phone_provider_disabled')).title).toBe('Phone Sign In Failed')
    expect(phoneFailure(error('unexpected_failure', 500)).title).toBe('Phone Sign In Error')
    expect(phoneFailure(offline)).toEqual({ title: 'Phone Sign In Error', text: offlineText })
  })
})
