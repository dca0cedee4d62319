import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorState } from '@/components/ui/error-state'
import { useConnection } from '@/lib/connection'
import { toAppError } from '@/lib/errors'
import { language } from '@/lib/language'
import { request } from '@/lib/request'
import { reloadOnce } from '../reload-once'
import { messages } from './messages'
import { PageFallback } from './page-fallback'

/**
 * Shown when a screen's code failed to load. If the server responds, the page is of an older
 * version and is reloaded once. Otherwise there is no connection, and the previous page is one step
 * back in the history.
 */
export function MissingCode({ onRetry }: { onRetry: () => void }) {
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    let isLeft = false
    request('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
      () => !isLeft && !reloadOnce() && setFailure(new Error('missing')),
      (error: unknown) => !isLeft && setFailure(error),
    )
    return () => {
      isLeft = true
    }
  }, [])
  const isUnreachable = failure !== null && toAppError(failure).kind === 'network'
  const isBack = useConnection() === 'fine' && isUnreachable
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    if (isBack) retry()
  }, [isBack])
  if (failure === null) return <PageFallback />
  return (
    <div lang={language} className="page min-h-[60dvh] py-16">
      <h1 className="sr-only">{messages.codeMissing}</h1>
      <ErrorState
        title={messages.codeMissing}
        error={failure}
        onRetry={onRetry}
        {...(!isUnreachable && { text: messages.codeMissingText })}
      />
    </div>
  )
}
