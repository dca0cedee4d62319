import { Alert } from './ui/alert'
import { Button } from './ui/button'

/** A titled alert with a retry button (UI-06). */
export function ErrorAlert({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <Alert
      tone="danger"
      title={title}
      action={
        <Button variant="outline" size="sm" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      This part of the page stopped working. The rest of it, and what you saved, is untouched.
    </Alert>
  )
}
