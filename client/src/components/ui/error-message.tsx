import { CloudOff, WifiOff } from 'lucide-react'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { Button } from './button'
import { messages } from './messages'

export type ErrorMessageProps = {
  /** What failed, as a title. */
  title: string
  error: unknown
  onRetry?: () => void
  /** Replaces the message for the kind of error, except for a request without a response. */
  text?: string
  retryLabel?: string
}

/** Shows what happened and offers a retry; offline is distinguished from other errors. */
export function ErrorMessage({
  title,
  error,
  onRetry,
  text,
  retryLabel = messages.tryAgain,
}: ErrorMessageProps) {
  const { code, kind } = toAppError(error)
  const Icon = code === 'offline' ? WifiOff : CloudOff
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <Icon className="size-10 text-muted" strokeWidth={1.5} aria-hidden />
      <p className="font-display font-semibold text-xl">{title}</p>
      <p className="max-w-[44ch] text-muted">
        {kind === 'network' ? describeError(error) : (text ?? describeError(error))}
      </p>
      {onRetry && (
        <Button variant="outline" className="mt-2" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  )
}
