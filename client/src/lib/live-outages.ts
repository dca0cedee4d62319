import { useSyncExternalStore } from 'react'

/** After how long without a connection this is shown, in milliseconds. */
const noticedMs = 5_000

// Apart from lib/live.ts, so that a page that follows nothing need not load that.
const outages = new Set<object>()
const listeners = new Set<() => void>()

/** The time during which something that was live is not. */
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
