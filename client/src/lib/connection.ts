import { useSyncExternalStore } from 'react'

/**
 * The state of the connection: offline according to the browser, down according to the last
 * request, or slow.
 */
export type Connection = 'fine' | 'offline' | 'down' | 'slow'

/** After how long a request counts as slow, in milliseconds. */
const slowMs = 10_000

let isOffline = !navigator.onLine
let isDown = false
const slow = new Set<AbortController>()
const listeners = new Set<() => void>()

function publish(): void {
  for (const listener of listeners) listener()
}

function current(): Connection {
  if (isOffline) return 'offline'
  if (isDown) return 'down'
  return slow.size > 0 ? 'slow' : 'fine'
}

/**
 * Records whether a request got a response: a browser that reports being offline may still reach
 * the server.
 */
export function recordResponse(isAnswered: boolean): void {
  isOffline = !isAnswered && !navigator.onLine
  isDown = !isAnswered
  publish()
}

/** Counts a request as slow after slowMs; returns a function that stops watching it. */
export function watchRequest(request: AbortController): () => void {
  const timer = setTimeout(() => {
    slow.add(request)
    publish()
  }, slowMs)
  return () => {
    clearTimeout(timer)
    if (slow.delete(request)) publish()
  }
}

/** Aborts the slow requests; their callers get a timeout error. */
export function stopWaiting(): void {
  for (const request of slow) request.abort()
}

for (const event of ['online', 'offline']) {
  window.addEventListener(event, () => {
    isOffline = event === 'offline'
    publish()
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the connection as React state. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, current)
}
