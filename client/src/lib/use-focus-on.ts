import { useEffect, useRef } from 'react'

/**
 * For a part of the page whose controls give way to others: moves the focus into it when `what` is
 * shown has changed, to a field for a code if there is one. Who is elsewhere on the page stays there.
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
