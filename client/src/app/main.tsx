import '@/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { watchStoredSession } from '@/lib/session'
import { Providers } from './providers'
import { router } from './router'

function draw(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
}

/** Draws once the first screen's code is there. */
function drawWhenReady(): void {
  if (router.state.initialized) {
    draw()
    return
  }
  const stop = router.subscribe((state) => {
    if (!state.initialized) return
    stop()
    draw()
  })
}

watchStoredSession()

// Home's first words stand in index.html already (before-paint.js); they stay until
// the screen that takes their place is there, so that nothing blinks.
if ('home' in document.documentElement.dataset) drawWhenReady()
else draw()
