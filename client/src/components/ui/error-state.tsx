import { Suspense } from 'react'
import { lazyPart } from '../lazy-part'
import type { ErrorMessageProps } from './error-message'

// Rendered when something fails, and loaded before that (app/layouts/idle-parts.tsx).
const ErrorMessage = lazyPart(async () => (await import('./error-message')).ErrorMessage)

/** Shows what happened and offers a retry; offline is distinguished from other errors. */
export function ErrorState(props: ErrorMessageProps) {
  return (
    <Suspense>
      <ErrorMessage {...props} />
    </Suspense>
  )
}
