import { flushSync } from 'react-dom'

/** A place that the first view and the client's drawing both have. */
type Spot = { tag: string; key: string; at: number }

function keyOf(element: Element): string {
  return (
    element.getAttribute('name') ??
    element.getAttribute('href') ??
    element.getAttribute('aria-label') ??
    element.textContent.trim()
  )
}

function alike(root: Element, tag: string, key: string): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(tag)].filter((one) => keyOf(one) === key)
}

function spotOf(root: Element, element: HTMLElement | null): Spot | null {
  if (element === null || !root.contains(element)) return null
  const [tag, key] = [element.localName, keyOf(element)]
  return { tag, key, at: alike(root, tag, key).indexOf(element) }
}

function find(root: Element, spot: Spot | null): HTMLElement | undefined {
  if (spot === null) return undefined
  const all = alike(root, spot.tag, spot.key)
  // One whose code is still on its way has others of its name that do the same.
  return all[spot.at] ?? (spot.key === '' ? undefined : all.at(-1))
}

/**
 * What somebody did in the first view, which the server draws (functions/firstview), before the
 * client took its place. The function that it gives does the same in what was drawn since: text that
 * was typed, the focus, a button that was pressed, how far the page was scrolled.
 *
 * public/before-paint.js marks what is pressed. A search waits, too, as the city that it falls back to
 * is known to the client alone (HOME-04); but no longer than three seconds, for a client that does not
 * come.
 */
export function takeOver(first: HTMLElement, drawn: HTMLElement): () => void {
  const typed = [...first.querySelectorAll('input')]
    .filter((input) => input.value !== input.defaultValue)
    .map((input) => ({ spot: spotOf(first, input), value: input.value }))
  const { activeElement } = document
  const focused = spotOf(first, activeElement instanceof HTMLElement ? activeElement : null)
  const pressed = spotOf(first, first.querySelector<HTMLElement>('[data-pressed]'))
  const { scrollY } = window
  return () => {
    // What is pressed below acts on what was typed.
    flushSync(() => {
      for (const { spot, value } of typed) {
        const input = find(drawn, spot)
        if (!(input instanceof HTMLInputElement)) continue
        input.value = value
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    find(drawn, focused)?.focus({ preventScroll: true })
    find(drawn, pressed)?.click()
    // Unless the router has brought a page that was left back to where it was.
    if (scrollY > 0 && window.scrollY === 0) window.scrollTo(0, scrollY)
  }
}
