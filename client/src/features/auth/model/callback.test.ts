import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { messages } from '../messages'
import { isAuthReturn } from './auth-return'
import { exchangeFailure, readReturn, returnAddress } from './callback'

const read = (query: string) => readReturn(new URLSearchParams(query))

describe('the return from a link or provider', () => {
  it('AUTH-13: a code, and where to go on', () => {
    expect(read('code=abc')).toEqual({ kind: 'code', code: 'abc', next: null, confirms: false })
    expect(read('code=abc&confirm=1')).toMatchObject({ confirms: true })
    expect(read('code=abc&next=%2Fbusiness%2Fx%3Ftime%3D11%3A00')).toEqual({
      kind: 'code',
      code: 'abc',
      next: '/business/x?time=11:00',
      confirms: false,
    })
  })
  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'S-13: %s is no page of this site',
    (next) => {
      expect(readReturn(new URLSearchParams({ code: 'abc', next }))).toMatchObject({ next: null })
    },
  )
  it('AUTH-15: a refusal, a spent link, and nothing at all', () => {
    expect(read('error=access_denied&error_code=otp_expired')).toMatchObject({
      kind: 'refused',
      notice: { title: 'Authentication Failed', text: messages.linkSpent },
    })
    expect(read('error=access_denied')).toMatchObject({
      notice: { title: 'Authentication Failed', text: messages.callbackRefused },
    })
    expect(read('')).toEqual({ kind: 'nothing' })
    expect(read('code=')).toEqual({ kind: 'nothing' })
  })
  it("home knows a link's return from its own address", () => {
    const isReturn = (query: string) => isAuthReturn(new URLSearchParams(query))
    expect(['code=a', 'error_code=otp_expired'].every(isReturn)).toBe(true)
    expect(['', 'find_desc=code', 'error=x'].some(isReturn)).toBe(false)
  })
})

it('the address of a link: the site root, with the page to go on to', () => {
  const { origin } = window.location
  expect(returnAddress('/', null)).toBe(`${origin}/`)
  expect(returnAddress('/', '/business/x?a=1&b=2')).toBe(
    `${origin}/?next=%2Fbusiness%2Fx%3Fa%3D1%26b%3D2`,
  )
})

describe('a failed exchange', () => {
  const returned = { next: null, confirms: false }
  const failure = (
    code: string,
    status = 400,
    back: Partial<{ next: string; confirms: boolean }> = {},
  ) => exchangeFailure(new AppError(code, '', { status }), { ...returned, ...back })
  it('a confirmation in another browser has worked', () => {
    for (const code of ['pkce_code_verifier_not_found', 'bad_code_verifier']) {
      expect(failure(code, 400, { confirms: true })).toEqual({
        title: 'Your address is confirmed',
        text: messages.confirmedText,
        isConfirmed: true,
      })
    }
  })
  it('AUTH-15, ERR-19: refused is Failed', () => {
    expect(failure('pkce_code_verifier_not_found')).toEqual({
      title: 'Authentication Failed',
      text: messages.otherBrowser,
    })
    expect(failure('bad_code_verifier', 400, { next: '/auth?mode=reset' })).toEqual({
      title: 'Authentication Failed',
      text: messages.resetElsewhere,
    })
    expect(failure('flow_state_not_found', 404).text).toBe(messages.linkSpent)
    expect(failure('flow_state_expired', 422).title).toBe('Authentication Failed')
  })
  it('AUTH-15, ERR-19: undecided is Error', () => {
    expect(failure('unexpected_failure', 500).title).toBe('Authentication Error')
    expect(exchangeFailure(new TypeError('Failed to fetch'), returned)).toEqual({
      title: 'Authentication Error',
      text: expect.stringMatching(/^Plaza cannot be reached/),
    })
  })
})
