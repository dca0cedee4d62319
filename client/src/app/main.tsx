import '@/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { endFirstScreen } from '@/lib/first-screen'
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
function drawOver(first: HTMLElement): void {
  const drawn = document.createElement('div')
  drawn.id = first.id
  const carryOn = takeOver(first, drawn)
  // Whoever has scrolled stays where they are, so what is above is drawn as high as it is; who is led to a
  // place within the page finds it.
  if (window.scrollY > 0 || window.location.hash !== '') endFirstScreen()
  first.replaceWith(drawn)
  draw(drawn)
  // Its effects have run by then, and nothing is painted before.
  queueMicrotask(carryOn)
  void drawFar()
}

watchStoredSession()

if (root.firstElementChild === null) {
  endFirstScreen()
  draw(root)
} else if (router.state.initialized) {
  drawOver(root)
} else {
  const stop = router.subscribe((state) => {
    if (!state.initialized) return
    stop()
    // The router is still at it: where it is led now it would forget.
    queueMicrotask(() => drawOver(root))
  })
}
