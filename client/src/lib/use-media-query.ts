import { useSyncExternalStore } from 'react'

/**
 * Reports whether a media query matches, and re-renders when that changes. For behaviour; styling
 * belongs in CSS.
 */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
