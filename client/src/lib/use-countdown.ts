import { useEffect, useState } from 'react'

/** Seconds left of a wait that begins anew whenever `round` changes; none before the first. */
export function useCountdown(seconds: number, round: number): number {
  const [left, setLeft] = useState(round === 0 ? 0 : seconds)
  useEffect(() => {
    if (round === 0) return
    // By the clock: timers of a page in the background are late.
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
