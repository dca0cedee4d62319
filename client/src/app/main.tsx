import '@/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { drawNear, endFirstScreen, isFirstScreen, waitForTurn } from '@/lib/first-screen'
import { watchStoredSession } from '@/lib/session'
import { drawFar } from './far'
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

/** Draws in the place of the first view, once the first screen's code is there, so that nothing blinks. */
async function drawOver(first: HTMLElement): Promise<void> {
  const drawn = document.createElement('div')
  drawn.id = first.id
  // Who is led to a place within the page has to find it.
  if (isFirstScreen() && window.scrollY === 0 && window.location.hash === '') {
    await drawNear(() => {
      // The first formatter takes as long as a dozen businesses, where before-paint.js had no time for it.
      waitForTurn(() => new Intl.DateTimeFormat('en-GB'), true)
      draw(drawn)
    })
    // Whoever has scrolled meanwhile stays where they are, so what is above is drawn as high as it is.
    if (window.scrollY > 0) endFirstScreen()
    queueMicrotask(() => {
      const carryOn = takeOver(first, drawn)
      first.replaceWith(drawn)
      carryOn()
    })
  } else {
    endFirstScreen()
    const carryOn = takeOver(first, drawn)
    first.replaceWith(drawn)
    draw(drawn)
    // Its effects have run by then, and nothing is painted before.
    queueMicrotask(carryOn)
  }
  void drawFar()
}

watchStoredSession()

if (root.firstElementChild === null) {
  endFirstScreen()
  draw(root)
} else if (router.state.initialized) {
  void drawOver(root)
} else {
  const stop = router.subscribe((state) => {
    if (!state.initialized) return
    stop()
    // The router is still at it: where it is led now it would forget.
    queueMicrotask(() => drawOver(root))
  })
}
