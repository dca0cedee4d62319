import { useSyncExternalStore } from 'react'

/** The way to the server: as the browser says (offline), as the last request found it, or slow. */
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

/** Notes whether a request was answered: a browser without any network may still reach the server. */
export function noteAnswer(isAnswered: boolean): void {
  isOffline = !isAnswered && !navigator.onLine
  isDown = !isAnswered
  publish()
}

/** Counts a request as slow once it takes so long; returns what ends that. */
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

/** Gives up the requests that are slow; whoever waits for one is told that it took too long. */
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

/** The connection as screen state. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, current)
}
