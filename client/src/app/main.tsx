import '@/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { watchFailures } from '@/lib/failures'
import { defer, endFirstScreen, isFirstScreen, renderFirstScreen } from '@/lib/first-screen'
import { watchStoredSession } from '@/lib/session'
import { renderBelow } from './below-fold'
import { dropFirstHead } from './first-head'
import { Providers } from './providers'
import { router } from './router'
import { takeOver } from './take-over'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

function draw(into: HTMLElement): void {
  createRoot(into).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
}

/**
 * Renders in place of the server's first view once the first screen's code is loaded, so that
 * nothing flickers.
 */
async function renderOverFirstView(first: HTMLElement): Promise<void> {
  const drawn = document.createElement('div')
  drawn.id = first.id
  // A link to an anchor within the page needs its target.
  if (isFirstScreen() && window.scrollY === 0 && window.location.hash === '') {
    await renderFirstScreen(() => {
      // Creating the first formatter takes as long as rendering a dozen businesses, unless
      // before-paint.js had time for it.
      defer(() => new Intl.DateTimeFormat('en-GB'), true)
      draw(drawn)
    })
    // Users who have scrolled meanwhile keep their position, so everything above it is rendered at
    // its full height.
    if (window.scrollY > 0) endFirstScreen()
    queueMicrotask(() => {
      const restoreState = takeOver(first, drawn)
      first.replaceWith(drawn)
      restoreState()
    })
  } else {
    endFirstScreen()
    const restoreState = takeOver(first, drawn)
    first.replaceWith(drawn)
    draw(drawn)
    // Its effects have run by then, and nothing is painted before.
    queueMicrotask(restoreState)
  }
  void renderBelow(router)
}

watchFailures()
watchStoredSession()
dropFirstHead(router)

if (root.firstElementChild === null) {
  endFirstScreen()
  draw(root)
} else if (router.state.initialized) {
  void renderOverFirstView(root)
} else {
  const stop = router.subscribe((state) => {
    if (!state.initialized) return
    stop()
    // The router is still initializing and would drop a navigation started now.
    queueMicrotask(() => renderOverFirstView(root))
  })
}
