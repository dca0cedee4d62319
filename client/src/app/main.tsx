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

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
