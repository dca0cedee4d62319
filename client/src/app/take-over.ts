import { flushSync } from 'react-dom'

/** An element that exists both in the first view and in the client's rendering. */
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
  // If the element's code is still loading, other elements of the same name do the same.
  return all[spot.at] ?? (spot.key === '' ? undefined : all.at(-1))
}

/** For how long a pressed element may be missing from the client's rendering, in milliseconds. */
const lateMs = 10_000
/** What a user does who no longer waits for the press to have an effect. */
const signs = ['pointerdown', 'keydown'] as const

/**
 * Presses an element as soon as it is rendered: the data of a signed-in user is not in the page and
 * may still be loading.
 */
function press(drawn: HTMLElement, spot: Spot): void {
  const element = find(drawn, spot)
  if (element !== undefined) {
    element.click()
    return
  }
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const sign of signs) window.removeEventListener(sign, stop, true)
  }
  const observer = new MutationObserver(() => {
    const late = find(drawn, spot)
    if (late === undefined) return
    stop()
    // The effects of its rendering have run by then.
    queueMicrotask(() => late.click())
  })
  const timer = setTimeout(stop, lateMs)
  observer.observe(drawn, { childList: true, subtree: true })
  for (const sign of signs) window.addEventListener(sign, stop, true)
}

/**
 * Records what the user did in the first view, which the server renders (functions/firstview),
 * before the client replaced it. The returned function repeats it in the client's rendering: typed
 * text, focus, a pressed button, the scroll position. public/before-paint.js marks the pressed
 * element. A search is delayed, too, since only the client knows the city it falls back to
 * (HOME-04), but at most three seconds, in case the client does not load.
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
    // The pressed element acts on the typed text.
    flushSync(() => {
      for (const { spot, value } of typed) {
        const input = find(drawn, spot)
        if (!(input instanceof HTMLInputElement)) continue
        input.value = value
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    find(drawn, focused)?.focus({ preventScroll: true })
    if (pressed !== null) press(drawn, pressed)
    // Unless the router has restored the position of a page that was left.
    if (scrollY > 0 && window.scrollY === 0) window.scrollTo(0, scrollY)
  }
}
