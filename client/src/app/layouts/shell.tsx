import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { Deferred } from '@/components/deferred'
import { lazyPart } from '@/components/lazy-part'
import { OfflineNote } from '@/components/offline-note'
import { showToast } from '@/components/ui/toast'
import { sessionLost } from '@/features/session/messages'
import { language } from '@/lib/language'
import { useSession } from '@/lib/session'
import { Footer } from './footer'
import { Header } from './header'
import { messages } from './messages'

const SignedInExtras = lazyPart(
  async () => (await import('./signed-in-extras')).SignedInExtras,
  null,
)

/** The layout around every screen: skip link, header, the screen, footer, toasts. */
export function Shell() {
  const session = useSession()
  const IdleParts = useIdleParts()
  const isLost = session.status === 'signed-out' && session.isLost
  useEffect(() => {
    if (isLost) showToast({ ...sessionLost, tone: 'danger' })
  }, [isLost])
  return (
    <div className="flex min-h-dvh flex-col pb-(--below)">
      <a
        href="#main"
        lang={language}
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-primary px-4 py-3 font-semibold text-on-primary focus:translate-y-0"
      >
        {messages.skip}
      </a>
      <ProgressLine />
      <Deferred isNear>
        <Header />
      </Deferred>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Deferred isNear>
          <Outlet />
        </Deferred>
      </main>
      <Deferred room={<footer className="min-h-dvh" />}>
        <Footer />
      </Deferred>
      {IdleParts ? <IdleParts /> : <OfflineNote className="fixed inset-x-0 bottom-0 z-40 px-4" />}
      {session.status === 'signed-in' && (
        <Suspense>
          <SignedInExtras />
        </Suspense>
      )}
      <ScrollRestoration />
    </div>
  )
}

/** How long after the first screen the code for later events is loaded, in milliseconds. */
const loadAfterMs = 1_500

/** Loads UI that is only needed when something happens: by then it may be impossible to load. */
function useIdleParts(): ComponentType | null {
  const [IdleParts, setIdleParts] = useState<ComponentType | null>(null)
  useEffect(() => {
    const load = () =>
      import('./idle-parts').then(
        (module) => setIdleParts(() => module.IdleParts),
        () => undefined,
      )
    const timer = setTimeout(load, loadAfterMs)
    window.addEventListener('online', load)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', load)
    }
  }, [])
  return IdleParts
}

/**
 * A progress bar at the top while the next screen loads. It appears after a delay, so fast screens
 * never show it.
 */
function ProgressLine() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div
      role="progressbar"
      aria-label={messages.loadingPage}
      className="appear-late progress-line fixed inset-x-0 top-0 z-50 h-0.5 bg-primary"
    />
  )
}
