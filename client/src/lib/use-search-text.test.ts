import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useSearchText } from './use-search-text'

function field(stored: string) {
  const onSend = vi.fn()
  const hook = renderHook((url: string) => useSearchText(url, onSend), { initialProps: stored })
  const send = (text: string) =>
    act(() => {
      hook.result.current.type(text)
      hook.result.current.send(text)
    })
  const arrive = (url: string) => hook.rerender(url)
  return { onSend, send, arrive, text: () => hook.result.current.text }
}

it('keeps the newest text when an older one arrives in the URL late', () => {
  const { send, arrive, text } = field('')
  send('barcel')
  send('giron')
  arrive('barcel')
  expect(text()).toBe('giron')
  arrive('giron')
  expect(text()).toBe('giron')
  arrive('barcel')
  expect(text()).toBe('barcel') // Back
})

it('sends the URL’s own text again if another one is on its way', () => {
  const { onSend, send, arrive, text } = field('giron')
  send('girona')
  send('giron')
  expect(onSend.mock.calls).toEqual([['girona'], ['giron']])
  arrive('girona')
  expect(text()).toBe('giron')
  arrive('giron')
  send('giron')
  expect(onSend).toHaveBeenCalledTimes(2)
})

it('forgets what it sent when a newer text has arrived', () => {
  const { send, arrive, text } = field('')
  send('bar')
  send('bilbao')
  arrive('bilbao')
  arrive('bar')
  expect(text()).toBe('bar')
})
