/** Resolves when the browser has nothing better to do, or after a second. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: 1000 })
      : setTimeout(resolve, 100),
  )
}

/** Has the browser draw the whole page at once, as it does without us. */
export function showFar(): void {
  delete document.documentElement.dataset.first
}

/**
 * Draws what is below the first screen, one part at a time. Until then the browser has left it out
 * (styles/index.css), so that the first screen waits for nothing that is not seen.
 */
export async function drawFar(): Promise<void> {
  await idle()
  for (const part of document.querySelectorAll<HTMLElement>('footer, main section, main li')) {
    if (getComputedStyle(part).contentVisibility !== 'auto') continue
    part.style.contentVisibility = 'visible'
    await idle()
  }
  showFar()
}
