import { useEffect, useRef, useState } from 'react'
import { cleanQuery } from './text'

/** How long typing rests before a search starts (CONST-08). */
const searchDebounceMs = 300

/**
 * A text that is typed here and lives in the address. What is typed goes there when
 * it has rested (SEARCH-13); what changes there by another way (Back, a link) comes
 * back, but never over what is being typed.
 */
export function useSearchText(stored: string, onRest: (text: string) => void) {
  const [text, setText] = useState(stored)
  const [seen, setSeen] = useState(stored)
  const [sent, setSent] = useState(stored)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  if (stored !== seen) {
    setSeen(stored)
    if (stored !== sent) setText(stored)
    setSent(stored)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const send = (value: string) => {
    clearTimeout(timer.current)
    const clean = cleanQuery(value).trim()
    setSent(clean)
    if (clean !== stored) onRest(clean)
    return clean
  }
  const type = (value: string) => {
    setText(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(value), searchDebounceMs)
  }
  /** Shows another text without sending it: a choice from the list took its place. */
  const put = (value: string) => {
    clearTimeout(timer.current)
    setText(value)
  }
  return { text, type, send, put }
}
