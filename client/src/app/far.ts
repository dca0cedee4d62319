import { endFirstScreen, takeFar } from '@/lib/first-screen'

/** Resolves when the browser has nothing better to do, or after a second. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: 1000 })
      : setTimeout(resolve, 100),
  )
}

/**
 * Draws what is below the first screen, one part at a time. Until then it is not there
 * (components/later.tsx), or the browser has left it out (styles/index.css), so that the first
 * screen waits for nothing that is not seen.
 */
export async function drawFar(): Promise<void> {
  do await idle()
  while (takeFar())
  for (const part of document.querySelectorAll<HTMLElement>('footer, main section, main li')) {
    if (getComputedStyle(part).contentVisibility !== 'auto') continue
    part.style.contentVisibility = 'visible'
    await idle()
  }
  endFirstScreen()
}
