import { useRef } from 'react'

/**
 * The most recently requested value of state stored in the URL. A navigation takes a moment; a
 * press in between must build on the previous press, not on the URL still shown.
 */
export function useNewest<T>(stored: T, address: string) {
  const asked = useRef<{ from: string; value: T } | null>(null)
  return {
    /** The value requested since this URL was shown, or else the URL's value. */
    newest: () => (asked.current?.from === address ? asked.current.value : stored),
    ask: (value: T) => {
      asked.current = { from: address, value }
    },
  }
}
