import { CloudOff, WifiOff } from 'lucide-react'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { Button } from './button'

export type ErrorMessageProps = {
  /** What could not be done, as a title. */
  title: string
  error: unknown
  onRetry?: () => void
  /** Replaces the sentence that the kind of error would give, but for a request that had no answer. */
  text?: string
  retryLabel?: string
}

/** Says what happened and offers to try again; offline is told apart from broken. */
export function ErrorMessage({
  title,
  error,
  onRetry,
  text,
  retryLabel = 'Try Again',
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
