import { useSyncExternalStore } from 'react'

/** A worker of a newer build that waits until the user agrees. */
let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

function offer(worker: ServiceWorker | null): void {
  waiting = worker
  for (const listener of listeners) listener()
}

/** Minimum time between two checks for a new build, in milliseconds. */
const lookEveryMs = 60 * 60 * 1000

/** Follows a registration: a worker that is installed while another is in charge is an update. */
function follow(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator
  const check = () => {
    if (registration.waiting && serviceWorker.controller) offer(registration.waiting)
  }
  check()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', check)
  })
  let looked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || Date.now() - looked < lookEveryMs) return
    looked = Date.now()
    // Without a connection, a later check finds the new build.
    registration.update().catch(() => undefined)
  })
}

/** Registers the service worker (public/sw.js), once the page is idle. */
export function registerWorker(): void {
  // The development server has no build whose page could be cached.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  // If the browser refuses, as in a private window, it shows its own error page when it is offline.
  navigator.serviceWorker.register('/sw.js').then(follow, () => undefined)
}

/** Reloads the page with the new build. */
export function applyUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  })
  waiting?.postMessage('skip-waiting')
}

/** Hides the prompt; the new build is used once all tabs have been closed. */
export function postponeUpdate(): void {
  offer(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reports whether a newer build is waiting to be used. */
export function useUpdate(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== null)
}
