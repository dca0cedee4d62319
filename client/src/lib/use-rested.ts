import { useEffect, useEffectEvent, useState } from 'react'

/** What was last given once its draft has not changed for a while, in milliseconds. */
export function useRested<T extends { draft: unknown }>(value: T, patience = 300): T {
  const [rested, setRested] = useState(value)
  const rest = useEffectEvent(() => setRested(value))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another draft begins to rest
  useEffect(() => {
    const timer = setTimeout(rest, patience)
    return () => clearTimeout(timer)
  }, [value.draft, patience])
  return rested
}
