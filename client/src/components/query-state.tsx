import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { ErrorState } from './ui/error-state'

type QueryStateProps<T> = {
  query: UseQueryResult<T>
  /** A skeleton shaped like the data. */
  pending: ReactNode
  /** What failed to load, as a title. */
  errorTitle: string
  errorText?: string
  retryLabel?: string
  isEmpty?: (data: T) => boolean
  /** Shown if there is no data: usually an EmptyState. */
  empty?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * The four states of loaded data, in order: pending, error, empty, data. Old data stays, dimmed,
 * while new data is loading; it also stays after a failed refetch.
 */
export function QueryState<T>({
  query,
  pending,
  errorTitle,
  errorText,
  retryLabel,
  isEmpty,
  empty,
  children,
}: QueryStateProps<T>) {
  if (query.data === undefined) {
    if (!query.isError) return pending
    return (
      <ErrorState
        title={errorTitle}
        {...(errorText === undefined ? {} : { text: errorText })}
        {...(retryLabel === undefined ? {} : { retryLabel })}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (isEmpty?.(query.data)) return empty
  return (
    <div
      className={cn('transition-opacity', query.isPlaceholderData && 'opacity-55')}
      aria-busy={query.isPlaceholderData}
    >
      {children(query.data)}
    </div>
  )
}
