import '@/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { watchStoredSession } from '@/lib/session'
import { Providers } from './providers'
import { router } from './router'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

watchStoredSession()

// Home's first words stand in index.html already (before-paint.js); they stay until
// the screen that takes their place is there, so that nothing blinks.
if ('home' in document.documentElement.dataset) await firstScreen()

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)

function firstScreen(): Promise<void> {
  if (router.state.initialized) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = router.subscribe((state) => {
      if (!state.initialized) return
      stop()
      resolve()
    })
  })
}
