import type { Page } from '@playwright/test'

/** Finds layout faults of a screen: overflow, truncated words, small targets, raw values. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.add(`${root.scrollWidth - root.clientWidth} px too wide`)
    const isSeen = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('.sr-only, [inert], dialog:not([open])') === null
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 50)}"`

    const isInText = (element: Element) => {
      const { display } = getComputedStyle(element)
      return display === 'inline' && element.parentElement?.textContent?.trim() !== element.textContent?.trim()
    }
    // Touch targets: a desktop's mouse points more precisely.
    const isTouched = root.clientWidth < 1024
    for (const target of isTouched ? document.querySelectorAll('a[href], button, select, input, textarea, [role=tab], summary') : []) {
      if (!isSeen(target) || isInText(target)) continue
      const around = target instanceof HTMLInputElement ? (target.closest('label') ?? target) : target
      const { width, height } = around.getBoundingClientRect()
      const after = getComputedStyle(target, '::after')
      const reach = after.position === 'absolute' && after.content !== 'none'
      if (!reach && width > 1 && (height < 43.5 || width < 43.5)) {
        found.add(`target of ${Math.round(width)}×${Math.round(height)}: ${nameOf(target)}`)
      }
    }
    for (const element of document.querySelectorAll('main *, dialog *')) {
      if (!isSeen(element) || element.children.length > 0) continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1) {
        found.add(`${textOverflow === 'ellipsis' ? 'shortened' : 'cut'}: ${nameOf(element)}`)
      }
    }
    const text = document.body.innerText
    const raw =
      /[0-9a-f]{8}-[0-9a-f]{4}-\S+|\b\d{4}-\d{2}-\d{2}\b|\bundefined\b|\bNaN\b|\bnull\b|\[object|(?<![\d.,])0\.0\b(?!%)|(?<![\d.,])1 (bookings|reviews|services|photos|results|businesses|minutes|hours|days|messages|sessions)\b/g
    for (const [match] of text.matchAll(raw)) found.add(`text "${match}"`)
    return [...found]
  })
}
