// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { isSitePath, rememberReturn, takeReturn } from './return-path'

it('S-52: accepts paths of this site only', () => {
  expect(['/', '/business/a?date=2026-11-25#top', '/a//b'].map(isSitePath)).toEqual([
    true,
    true,
    true,
  ])
  const foreign = ['', 'https://evil.example', '//evil.example', '/\\evil.example', '/a b', 'a']
  expect(foreign.filter(isSitePath)).toEqual([])
})

it('gives the page back once', () => {
  rememberReturn('/business/a?time=11:00')
  expect(takeReturn()).toBe('/business/a?time=11:00')
  expect(takeReturn()).toBeNull()
  rememberReturn('//evil.example')
  expect(takeReturn()).toBeNull()
})
