import { useEffect, useRef } from 'react'
import { isActivityDue } from '../model/session-clock'

const signs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Calls `note` on user activity, at most once a minute (AUTH-19). */
export function useActivity(note: () => void): void {
  const lastNoted = useRef<number | null>(null)
  useEffect(() => {
    const handle = () => {
      const now = Date.now()
      if (!isActivityDue(lastNoted.current, now)) return
      lastNoted.current = now
      note()
    }
    const options = { passive: true, capture: true }
    for (const sign of signs) window.addEventListener(sign, handle, options)
    return () => {
      for (const sign of signs) window.removeEventListener(sign, handle, options)
    }
  }, [note])
}
