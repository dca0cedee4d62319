import { describe, expect, it } from 'vitest'
import { fullNameWords } from '@/lib/full-name'
import { stripMarkup } from '@/lib/text'
import { messages } from '../messages'
import {
  changePasswordSchema,
  emailSchema,
  newPasswordSchema,
  passwordRules,
  signInSchema,
  signUpSchema,
} from './credentials'

const whole = {
  fullName: 'Núria Puig',
  email: 'nuria@example.test',
  password: 'Secret-pass-1',
  confirm: 'Secret-pass-1',
}

/** Returns the errors of a sign-up with a change, by field. */
function problems(change: Partial<typeof whole>): Record<string, string[]> {
  const read = signUpSchema.safeParse({ ...whole, ...change })
  const found: Record<string, string[]> = {}
  for (const { path, message } of read.error?.issues ?? []) {
    const field = path.join('.')
    found[field] = [...(found[field] ?? []), message]
  }
  return found
}

describe('email', () => {
  it('RULE-01: is trimmed and lowercased', () => {
    expect(emailSchema.parse({ email: '  Nuria@Example.TEST ' })).toEqual({
      email: 'nuria@example.test',
    })
  })
  it.each(['', 'nuria', 'nuria@', '@example.test', 'a b@example.test', 'a@b'])(
    'RULE-01: refuses %j',
    (email) => {
      expect(problems({ email })).toEqual({ email: [messages.emailInvalid] })
    },
  )
  it('RULE-02: refuses a plus sign with its own words', () => {
    expect(problems({ email: 'nuria+x@example.test' })).toEqual({
      email: ['Plus signs not allowed in email'],
    })
  })
})

describe('a new password', () => {
  it('RULE-03: 8 to 128 characters', () => {
    const of = (password: string) => problems({ password, confirm: password })
    expect(of('Abcdef1')).toEqual({ password: ['Password must be at least 8 characters'] })
    expect(of('Abcdefg1')).toEqual({})
    expect(of(`Aa1${'x'.repeat(125)}`)).toEqual({})
    expect(of(`Aa1${'x'.repeat(126)}`)).toEqual({
      password: ['Password cannot exceed 128 characters'],
    })
  })
  it.each(['alllower1', 'ALLUPPER1', 'NoDigitsHere'])('RULE-04: %s lacks a kind', (password) => {
    expect(problems({ password, confirm: password })).toEqual({
      password: [
        'Password must contain at least one lowercase letter, one uppercase letter, and one number',
      ],
    })
  })
  it('RULE-05: is confirmed, which is said beside other mistakes', () => {
    expect(problems({ confirm: 'other' })).toEqual({ confirm: ['Passwords do not match'] })
    expect(problems({ fullName: '', password: 'x', confirm: 'y' })).toEqual({
      fullName: [fullNameWords.missing],
      password: ['Password must be at least 8 characters'],
      confirm: ['Passwords do not match'],
    })
    const set = newPasswordSchema.safeParse({ password: 'Secret-pass-1', confirm: 'x' })
    expect(set.error?.issues.map((issue) => issue.message)).toEqual(['Passwords do not match'])
  })
  it('RULE-03, RULE-04: each rule is reported separately', () => {
    const met = (text: string) => passwordRules.filter((r) => r.isMet(text)).map((r) => r.key)
    expect(met('')).toEqual([])
    expect(met('a')).toEqual(['lower'])
    expect(met('aA')).toEqual(['lower', 'upper'])
    expect(met('aA1')).toEqual(['lower', 'upper', 'digit'])
    expect(met('aA1aA1aA')).toEqual(['length', 'lower', 'upper', 'digit'])
  })
  it('signing in asks only that there is one', () => {
    const read = (password: string) => signInSchema.safeParse({ email: whole.email, password })
    expect(read('x').success).toBe(true)
    expect(read('').error?.issues[0]?.message).toBe(messages.passwordMissing)
  })
})

describe('full name', () => {
  it.each([
    ['Núria Puig', 'Núria Puig'],
    ['<b>Núria</b> Puig', 'Núria Puig'],
    ['<script>alert(1)</script>Ona', 'alert(1)Ona'],
    ['<<b>script>Ona', 'Ona'],
    ['a < b', 'a b'],
    ['  Ona   Vidal ', 'Ona Vidal'],
    ['<img src=x onerror=alert(1)>', ''],
  ])('RULE-06: %j becomes %j', (typed, stored) => {
    expect(stripMarkup(typed)).toBe(stored)
  })
  it('RULE-06: nothing but markup is no name', () => {
    expect(problems({ fullName: '<b></b>' })).toEqual({ fullName: [fullNameWords.missing] })
  })
})

describe('changing the password', () => {
  const change = { current: 'Old-pass-1', password: 'Secret-pass-2', confirm: 'Secret-pass-2' }
  const said = (over: Partial<typeof change>) =>
    changePasswordSchema
      .safeParse({ ...change, ...over })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  it('PROFILE-05, C-09: takes the current, the new and its confirmation', () => {
    expect(said({})).toBeUndefined()
    expect(said({ current: '' })).toEqual([`current: ${messages.passwordMissing}`])
  })
  it('PROFILE-06: new and confirmation must match', () => {
    expect(said({ confirm: 'x' })).toEqual(['confirm: New password and confirmation must match'])
  })
  it('PROFILE-07: fewer than 6 has its own message', () => {
    expect(said({ password: 'aA1aA', confirm: 'aA1aA' })).toEqual([
      'password: Password must be at least 6 characters long',
    ])
  })
  it('C-08: else the rules of every new password hold', () => {
    expect(said({ password: 'aA1aA1a', confirm: 'aA1aA1a' })).toEqual([
      `password: ${messages.passwordShort}`,
    ])
    expect(said({ password: 'onlylower', confirm: 'onlylower' })).toEqual([
      `password: ${messages.passwordMix}`,
    ])
  })
})
