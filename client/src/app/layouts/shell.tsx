import { lazy, Suspense, useEffect } from 'react'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { AppToast } from '@/components/ui/app-toast'
import { showToast } from '@/components/ui/toast'
import { sessionLost } from '@/features/session/messages'
import { useSession } from '@/lib/session'
import { Footer } from './footer'
import { Header } from './header'

const SignedInExtras = lazy(() =>
  import('./signed-in-extras').then((module) => ({ default: module.SignedInExtras })),
)

/** What stands around every screen: skip link, header, the screen, footer, messages. */
export function Shell() {
  const session = useSession()
  const isLost = session.status === 'signed-out' && session.isLost
  useEffect(() => {
    if (isLost) showToast({ ...sessionLost, tone: 'danger' })
  }, [isLost])
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        lang="en"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-primary px-4 py-3 font-semibold text-on-primary focus:translate-y-0"
      >
        Skip to content
      </a>
      <ProgressLine />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
      <AppToast />
      {session.status === 'signed-in' && (
        <Suspense>
          <SignedInExtras />
        </Suspense>
      )}
      <ScrollRestoration />
    </div>
  )
}

/** A line at the top while the next screen loads; it waits a moment, so quick ones never show it. */
function ProgressLine() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div
      role="progressbar"
      aria-label="Loading page"
      className="appear-late progress-line fixed inset-x-0 top-0 z-50 h-0.5 bg-primary"
    />
  )
}
