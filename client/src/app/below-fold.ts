import { endFirstScreen, leaveFirstScreen, renderNextBelow } from '@/lib/first-screen'
import type { router } from './router'

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
 * does not wait for anything invisible. Screens visited meanwhile are rendered whole: Back restores
 * their scroll position, which would be another place above parts that are still to grow.
 */
export async function renderBelow({
  state,
  subscribe,
}: Pick<typeof router, 'state' | 'subscribe'>): Promise<void> {
  const { key } = state.location
  const stop = subscribe(({ location }) => {
    if (location.key !== key) leaveFirstScreen()
  })
  do await idle()
  while (renderNextBelow())
  for (const part of document.querySelectorAll<HTMLElement>('footer, main section, main li')) {
    if (getComputedStyle(part).contentVisibility !== 'auto') continue
    part.style.contentVisibility = 'visible'
    await idle()
  }
  endFirstScreen()
  stop()
}
