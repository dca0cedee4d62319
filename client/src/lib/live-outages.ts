import { useSyncExternalStore } from 'react'

/** After how long without a connection an outage is shown, in milliseconds. */
const noticedMs = 5_000

// Not in lib/live.ts, so that a page without live data does not load that file.
const outages = new Set<object>()
const listeners = new Set<() => void>()

/** Creates an outage: call `begin` when something is no longer live, `end` when it is again. */
export function newOutage(): { begin: () => void; end: () => void } {
  const self = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = (isNoticed: boolean) => {
    clearTimeout(timer)
    if (isNoticed === outages.has(self)) return
    if (isNoticed) outages.add(self)
    else outages.delete(self)
    for (const listener of listeners) listener()
  }
  return {
    begin: () => {
      timer = setTimeout(() => change(true), noticedMs)
    },
    end: () => change(false),
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reports whether something on the screen is no longer live, as React state. */
export function useIsLivePaused(): boolean {
  return useSyncExternalStore(subscribe, () => outages.size > 0)
}
