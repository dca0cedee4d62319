import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useNewest } from './use-newest'

it('builds on what was asked for until the address has followed', () => {
  const { result, rerender } = renderHook(({ stored, address }) => useNewest(stored, address), {
    initialProps: { stored: 'a', address: '/a' },
  })
  expect(result.current.newest()).toBe('a')
  result.current.ask('ab')
  expect(result.current.newest()).toBe('ab')
  rerender({ stored: 'z', address: '/z' })
  expect(result.current.newest()).toBe('z')
})
