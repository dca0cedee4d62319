import { useEffect, useRef } from 'react'

/**
 * For a part of the page whose controls are replaced: moves the focus into it when `what` has
 * changed, to a code field if there is one. Focus elsewhere on the page is not moved.
 */
export function useFocusOn<T extends HTMLElement>(what: string) {
  const part = useRef<T>(null)
  const shown = useRef(what)
  useEffect(() => {
    if (shown.current === what) return
    shown.current = what
    const at = document.activeElement
    if (at !== document.body && !part.current?.contains(at)) return
    const field = part.current?.querySelector<HTMLElement>('input[inputmode=numeric]')
    ;(field ?? part.current)?.focus({ preventScroll: true })
  }, [what])
  return part
}
