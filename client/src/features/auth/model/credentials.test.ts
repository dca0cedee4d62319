import { describe, expect, it } from 'vitest'
import { messages } from '../messages'
import {
  emailSchema,
  newPasswordSchema,
  passwordRules,
  signInSchema,
  signUpSchema,
  stripMarkup,
} from './credentials'

const whole = {
  fullName: 'Núria Puig',
  email: 'nuria@example.test',
  password: 'Secret-pass-1',
  confirm: 'Secret-pass-1',
}

/** What a sign-up with a change says, by field. */
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
      fullName: [messages.nameMissing],
      password: ['Password must be at least 8 characters'],
      confirm: ['Passwords do not match'],
    })
    const set = newPasswordSchema.safeParse({ password: 'Secret-pass-1', confirm: 'x' })
    expect(set.error?.issues.map((issue) => issue.message)).toEqual(['Passwords do not match'])
  })
  it('RULE-03, RULE-04: each rule is told on its own', () => {
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
    expect(problems({ fullName: '<b></b>' })).toEqual({ fullName: [messages.nameMissing] })
  })
})
