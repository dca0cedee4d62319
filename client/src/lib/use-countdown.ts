import { useEffect, useState } from 'react'

/**
 * Returns the seconds left of a countdown that restarts whenever `round` changes; 0 before the
 * first.
 */
export function useCountdown(seconds: number, round: number): number {
  const [left, setLeft] = useState(round === 0 ? 0 : seconds)
  useEffect(() => {
    if (round === 0) return
    // Based on the clock: timers of a background page are late.
    const end = Date.now() + seconds * 1000
    setLeft(seconds)
    const timer = setInterval(
      () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))),
      1000,
    )
    return () => clearInterval(timer)
  }, [seconds, round])
  return left
}
