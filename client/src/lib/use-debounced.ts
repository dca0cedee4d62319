import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Debounces a value: returns the last one whose draft has not changed for `delayMs` milliseconds.
 */
export function useDebounced<T extends { draft: unknown }>(value: T, delayMs = 300): T {
  const [rested, setRested] = useState(value)
  const update = useEffectEvent(() => setRested(value))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a different draft restarts the timer
  useEffect(() => {
    const timer = setTimeout(update, delayMs)
    return () => clearTimeout(timer)
  }, [value.draft, delayMs])
  return rested
}
