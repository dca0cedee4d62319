import { useEffect, useState } from 'react'

/** How long typing rests before a search starts (CONST-08). */
export const searchDebounceMs = 300

/** The value as it was when it last rested for a while. */
export function useDebounced<T>(value: T, delayMs: number = searchDebounceMs): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return rested
}
