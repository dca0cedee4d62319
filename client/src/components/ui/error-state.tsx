import { Suspense } from 'react'
import { part } from '../part'
import type { ErrorMessageProps } from './error-message'

// Drawn where something fails, and loaded before that (app/layouts/late.tsx).
const ErrorMessage = part(async () => (await import('./error-message')).ErrorMessage)

/** Says what happened and offers to try again; offline is told apart from broken. */
export function ErrorState(props: ErrorMessageProps) {
  return (
    <Suspense>
      <ErrorMessage {...props} />
    </Suspense>
  )
}
