import '@/styles/index.css'
import {
  type ReactNode,
  StrictMode,
  startTransition,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { watchStoredSession } from '@/lib/session'
import { Providers } from './providers'
import { router } from './router'
import { takeOver } from './take-over'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const app = (
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>
)

type InPlaceOfProps = { first: HTMLElement; drawn: HTMLElement; children: ReactNode }

/** Puts what was drawn in the first view's place, before any of it is measured. */
function InPlaceOf({ first, drawn, children }: InPlaceOfProps) {
  const [isThere, setThere] = useState(false)
  const carryOn = useRef<() => void>(undefined)
  useInsertionEffect(() => {
    carryOn.current = takeOver(first, drawn)
    first.replaceWith(drawn)
  }, [first, drawn])
  // A second pass before anything is painted: by then the effects of what was drawn have run. And
  // after that pass, so that React answers each event before the next.
  useLayoutEffect(() => {
    if (!isThere) setThere(true)
    else queueMicrotask(() => carryOn.current?.())
  }, [isThere])
  return children
}

/**
 * Draws beside the first view, in pieces between which the page answers, and takes its place in one
 * step, once the first screen's code is there, so that nothing blinks.
 */
function drawOver(first: HTMLElement): void {
  const drawn = document.createElement('div')
  drawn.id = first.id
  startTransition(() =>
    createRoot(drawn).render(
      <InPlaceOf first={first} drawn={drawn}>
        {app}
      </InPlaceOf>,
    ),
  )
}

watchStoredSession()

if (root.firstElementChild === null) createRoot(root).render(app)
else if (router.state.initialized) drawOver(root)
else {
  const stop = router.subscribe((state) => {
    if (!state.initialized) return
    stop()
    // The router is still at it: where it is led now it would forget.
    queueMicrotask(() => drawOver(root))
  })
}
