import { useEffect, useRef, useState } from 'react'
import { cleanQuery } from './text'

/** Debounce of typing before a search starts (CONST-08). */
const searchDebounceMs = 300

/**
 * A text field whose value is stored in the URL. Typed text is written there after the debounce
 * (SEARCH-13). Other changes of the URL (Back, a link) update the field, but never while the user
 * is typing.
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
  /** Shows another text without sending it, because a choice from the list replaced it. */
  const put = (value: string) => {
    clearTimeout(timer.current)
    setText(value)
  }
  return { text, type, send, put }
}
