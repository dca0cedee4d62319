import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordResponse, stopWaiting, useConnection } from './connection'
import { toAppError } from './errors'
import { request } from './request'

const neverRespond = (_input: unknown, init?: RequestInit) =>
  new Promise<Response>((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
  })

const setOnline = (isOnline: boolean) =>
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)

const failed = async (asked: Promise<Response>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => toAppError(error).code,
  )

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  recordResponse(true)
  vi.useRealTimers()
})

describe('a request', () => {
  it('that does not arrive fails at once, and says whether the browser is offline', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
    setOnline(true)
    expect(await failed(request('/x'))).toBe('network')
    setOnline(false)
    expect(await failed(request('/x'))).toBe('offline')
    expect(asked).toHaveBeenCalledTimes(2)
  })
  it('has a deadline of 30 seconds, unless it brings a file', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(neverRespond)
    const asked = failed(request('/x'))
    let isUploadOver = false
    void request('/x', { method: 'POST', body: new Blob(['x']) }).finally(() => {
      isUploadOver = true
    })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await asked).toBe('timeout')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isUploadOver).toBe(false)
  })
  it('an abort by the caller is not a connection failure', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(neverRespond)
    const { result } = renderHook(useConnection)
    const controller = new AbortController()
    const asked = request('/x', { signal: controller.signal })
    controller.abort()
    await expect(asked).rejects.toThrow('gone')
    expect(result.current).toBe('fine')
  })
})

describe('the connection', () => {
  it('is down after a request without an answer or with a 502, and fine after the next answer', async () => {
    setOnline(true)
    const asked = vi.spyOn(globalThis, 'fetch')
    const { result } = renderHook(useConnection)
    asked.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await act(() => failed(request('/x')))
    expect(result.current).toBe('down')
    asked.mockResolvedValueOnce(new Response('', { status: 500 }))
    await act(() => failed(request('/x')))
    expect(result.current).toBe('fine')
    asked.mockResolvedValueOnce(new Response('', { status: 502 }))
    await act(() => failed(request('/x')))
    expect(result.current).toBe('down')
    asked.mockResolvedValueOnce(new Response(''))
    await act(() => failed(request('/x')))
    expect(result.current).toBe('fine')
  })
  it('is offline as soon as the browser says so, and not while the server answers', async () => {
    const { result } = renderHook(useConnection)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(result.current).toBe('offline')
    setOnline(false)
    vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(''))
    await act(() => failed(request('/x')))
    expect(result.current).toBe('fine')
    act(() => void window.dispatchEvent(new Event('online')))
    expect(result.current).toBe('fine')
  })
  it('is slow after ten seconds, until the request is given up', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(neverRespond)
    const { result } = renderHook(useConnection)
    const asked = failed(request('/x'))
    await act(() => vi.advanceTimersByTimeAsync(9_999))
    expect(result.current).toBe('fine')
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(result.current).toBe('slow')
    await act(async () => {
      stopWaiting()
      expect(await asked).toBe('timeout')
    })
    expect(result.current).toBe('fine')
  })
})
