import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Debounces a value: returns the last one whose draft has not changed for `patience` milliseconds.
 */
export function useRested<T extends { draft: unknown }>(value: T, patience = 300): T {
  const [rested, setRested] = useState(value)
  const rest = useEffectEvent(() => setRested(value))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a different draft restarts the timer
  useEffect(() => {
    const timer = setTimeout(rest, patience)
    return () => clearTimeout(timer)
  }, [value.draft, patience])
  return rested
}
