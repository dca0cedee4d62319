const { dataset } = document.documentElement
const waiting = new Set<() => void>()

/** Whether a phone draws the first screen of a visit: public/before-paint.js marks the page, `endFirstScreen` ends it. */
export function isFirstScreen(): boolean {
  return dataset.first !== undefined && window.matchMedia('(width < 40rem)').matches
}

/** Does something once the first screen has been drawn and those before it have had their turn; gives a way to take it back. */
export function afterFirstScreen(act: () => void): () => void {
  waiting.add(act)
  return () => waiting.delete(act)
}

/** Does the next thing that waits for the first screen; false when there is none. */
export function takeWaiting(): boolean {
  const [act] = waiting
  if (!act) return false
  waiting.delete(act)
  act()
  return true
}

/** Nothing waits any more, and nothing will. */
export function endFirstScreen(): void {
  delete dataset.first
  while (takeWaiting());
}
