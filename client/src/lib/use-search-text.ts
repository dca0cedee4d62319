import { useEffect, useRef, useState } from 'react'
import { cleanQuery } from './text'

/** Debounce of typing before a search starts (CONST-08). */
const searchDebounceMs = 300

/**
 * A text field whose value is stored in the URL. Typed text is written there after the debounce
 * (SEARCH-13). Other changes of the URL (Back, a link) update the field; a text that it has sent
 * itself does not, even if it arrives after the user has typed on.
 */
export function useSearchText(stored: string, onSend: (text: string) => void) {
  const [text, setText] = useState(stored)
  const [seen, setSeen] = useState(stored)
  const [inFlight, setInFlight] = useState<readonly string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  if (stored !== seen) {
    setSeen(stored)
    const at = inFlight.indexOf(stored)
    // A newer navigation cancels older ones, so those sent before do not arrive any more.
    setInFlight(at < 0 ? [] : inFlight.slice(at + 1))
    if (at < 0) setText(stored)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const send = (value: string) => {
    clearTimeout(timer.current)
    const clean = cleanQuery(value).trim()
    if (clean !== stored || inFlight.length > 0) {
      setInFlight((texts) => [...texts, clean])
      onSend(clean)
    }
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
