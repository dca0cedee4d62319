// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { isSitePath, peekReturn, rememberReturn, returnPurpose, takeReturn } from './return-path'

it('S-52: accepts paths of this site only', () => {
  expect(['/', '/business/a?date=2026-11-25#top', '/a//b'].map(isSitePath)).toEqual([
    true,
    true,
    true,
  ])
  const foreign = ['', 'https://evil.example', '//evil.example', '/\\evil.example', '/a b', 'a']
  expect(foreign.filter(isSitePath)).toEqual([])
})

it('returns the page once', () => {
  rememberReturn('/business/a?time=11:00')
  expect(takeReturn()).toBe('/business/a?time=11:00')
  expect(takeReturn()).toBeNull()
  rememberReturn('//evil.example')
  expect(takeReturn()).toBeNull()
})

it('says what is to be done there until it is gone to', () => {
  rememberReturn('/business/a', 'Cut at Ona')
  expect(peekReturn()).toBe('/business/a')
  expect(returnPurpose()).toBe('Cut at Ona')
  takeReturn()
  expect(returnPurpose()).toBe('')
})
