import { beforeEach, expect, it, vi } from 'vitest'
import { reloadOnce } from './reload-once'

const reload = vi.fn()
beforeEach(() => {
  sessionStorage.clear()
  reload.mockClear()
  vi.spyOn(window.location, 'reload').mockImplementation(reload)
})

it('loads the page again once, and once more only after a minute', () => {
  expect(reloadOnce()).toBe(true)
  expect(reloadOnce()).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  expect(reloadOnce()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
})

it('does not where nothing can be noted: it would be for ever', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  })
  expect(reloadOnce()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
