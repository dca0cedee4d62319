import { endFirstScreen, renderNextBelow } from '@/lib/first-screen'

/** Resolves when the browser is idle, or after a second. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: 1000 })
      : setTimeout(resolve, 100),
  )
}

/**
 * Renders the parts below the first screen, one at a time. Until then they are not in the document
 * (components/deferred.tsx), or the browser skips them (styles/index.css), so that the first screen
 * does not wait for anything invisible.
 */
export async function renderBelow(): Promise<void> {
  do await idle()
  while (renderNextBelow())
  for (const part of document.querySelectorAll<HTMLElement>('footer, main section, main li')) {
    if (getComputedStyle(part).contentVisibility !== 'auto') continue
    part.style.contentVisibility = 'visible'
    await idle()
  }
  endFirstScreen()
}
