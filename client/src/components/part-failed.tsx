import { Alert } from './ui/alert'
import { Button } from './ui/button'

/**
 * Shown for a lazy component whose code failed to load: without a connection, or because it no
 * longer exists.
 */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div ref={(element) => element?.scrollIntoView?.({ block: 'nearest' })} lang="en">
      <Alert
        tone="danger"
        title="This part could not be loaded"
        action={
          <span className="flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={onRetry}>
              Try Again
            </Button>
            <Button variant="outline" size="sm" onClick={() => window.location.reload()}>
              Reload Page
            </Button>
          </span>
        }
      >
        The rest of the page, and what you typed, is untouched. Reload it if Plaza was updated.
      </Alert>
    </div>
  )
}
