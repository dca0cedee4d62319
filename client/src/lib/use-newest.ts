import { useRef } from 'react'

/**
 * A value that lives in the address, as it was last asked for. A navigation takes a
 * moment; what is pressed meanwhile must build on the press before, not on what is
 * still shown.
 */
export function useNewest<T>(stored: T, address: string) {
  const asked = useRef<{ from: string; value: T } | null>(null)
  return {
    /** What was asked for since this address was shown, else what it holds. */
    newest: () => (asked.current?.from === address ? asked.current.value : stored),
    ask: (value: T) => {
      asked.current = { from: address, value }
    },
  }
}
