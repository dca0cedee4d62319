import { language } from '@/lib/language'
import { Alert } from './ui/alert'
import { Button } from './ui/button'
import { messages } from './ui/messages'

/**
 * Shown for a lazy component whose code failed to load: without a connection, or because it no
 * longer exists.
 */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div ref={(element) => element?.scrollIntoView?.({ block: 'nearest' })} lang={language}>
      <Alert
        tone="danger"
        title={messages.partFailed}
        action={
          <span className="flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={onRetry}>
              {messages.tryAgain}
            </Button>
            <Button variant="outline" size="sm" onClick={() => window.location.reload()}>
              {messages.reloadPage}
            </Button>
          </span>
        }
      >
        {messages.partFailedText}
      </Alert>
    </div>
  )
}
