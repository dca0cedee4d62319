import { Suspense } from 'react'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { ErrorAlert } from '@/components/error-boundary'
import { lazyPart } from '@/components/lazy-part'
import { missingCodeText } from '@/lib/errors'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { messages } from './messages'
import { PageFallback } from './page-fallback'

// Loaded with the other error UI, before a failure happens (idle-parts.tsx).
const MissingCode = lazyPart(async () => (await import('./missing-code')).MissingCode)

/**
 * Shown if a screen failed to render or load: header and footer stay, and the user can retry
 * (UI-06).
 */
export function PageError() {
  const navigate = useNavigate()
  const location = useLocation()
  const error = useRouteError()
  usePageMeta({ title: pageTitle(messages.failed) })
  const handleRetry = () => void navigate(location, { replace: true })
  if (error instanceof Error && missingCodeText.test(error.message)) {
    return (
      <Suspense fallback={<PageFallback />}>
        <MissingCode key={location.key} onRetry={handleRetry} />
      </Suspense>
    )
  }
  return (
    <div className="page min-h-[60dvh] py-16">
      <h1 className="sr-only">{messages.failed}</h1>
      <Suspense>
        <ErrorAlert title={messages.failed} onRetry={handleRetry} />
      </Suspense>
    </div>
  )
}
