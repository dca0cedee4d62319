import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { messages } from '../messages'
import { presetRange } from '../model/range'
import type { ViewProps } from './view-props'

type AnalyticsStateProps<T> = Pick<ViewProps, 'today' | 'address' | 'onChange'> & {
  query: UseQueryResult<T>
  isEmpty?: (data: T) => boolean
  emptyTitle?: string
  /** The height of the content, as a class. */
  height: string
  children: (data: T) => ReactNode
}

/** The loading states of analytics; if there is no data, it offers a longer range. */
export function AnalyticsState<T>(props: AnalyticsStateProps<T>) {
  const { query, isEmpty, emptyTitle = messages.noBookings, height, children } = props
  return (
    <QueryState
      query={query}
      errorTitle={messages.failed}
      pending={
        <SkeletonGroup label={messages.pending}>
          <Skeleton className={`${height} rounded-panel`} />
        </SkeletonGroup>
      }
      {...(isEmpty && { isEmpty })}
      empty={
        <EmptyState
          as="h3"
          title={emptyTitle}
          text={messages.noneText}
          {...(props.address.preset !== 'this-year' && { action: <ShowYear {...props} /> })}
        />
      }
    >
      {children}
    </QueryState>
  )
}

function ShowYear({ today, onChange }: Pick<ViewProps, 'today' | 'onChange'>) {
  return (
    <Button
      variant="outline"
      onClick={() => onChange({ preset: 'this-year', range: presetRange('this-year', today) })}
    >
      {messages.showYear}
    </Button>
  )
}
