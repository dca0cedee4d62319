import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { Button, ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { metricsQuery } from '../api/queries'
import { messages } from '../messages'
import { metricsOf, shownOf } from '../model/address'
import type { Metrics } from '../model/day'
import type { MetricKey } from '../model/metric'
import { ShowAll } from './metric-filter'
import type { ViewProps } from './view-props'

type MetricsStateProps = ViewProps & {
  isEmpty: (read: Metrics) => boolean
  emptyTitle?: string
  emptyText?: string
  /** Renders the loaded metrics; `shown` are the visible figures of the tab. */
  children: (read: Metrics, shown: readonly MetricKey[]) => ReactNode
}

/** The loading states of a period, and of a filter that hides everything. */
export function MetricsState({ children, isEmpty, ...props }: MetricsStateProps) {
  const { businessId, range, address, onChange } = props
  const query = useQuery(metricsQuery(businessId, range))
  const shown = shownOf(metricsOf(address), address)
  return (
    <QueryState
      query={query}
      errorTitle={messages.failed}
      pending={
        <SkeletonGroup label={messages.pending} className="grid gap-5">
          <Skeleton className="h-60 rounded-panel" />
          <Skeleton className="h-100 rounded-panel" />
        </SkeletonGroup>
      }
      isEmpty={isEmpty}
      empty={
        <EmptyState
          as="h3"
          title={props.emptyTitle ?? messages.empty}
          text={props.emptyText ?? messages.emptyText}
          action={<NoFiguresAction {...props} />}
        />
      }
    >
      {(read) =>
        shown.length > 0 ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">{children(read, shown)}</div>
        ) : (
          <EmptyState
            as="h3"
            title={messages.allHidden}
            text={messages.allHiddenText}
            action={<ShowAll address={address} onChange={onChange} />}
          />
        )
      }
    </QueryState>
  )
}

/** Offers a longer period, or tips for getting figures if it is already the longest. */
function NoFiguresAction({ businessId, address, onChange }: ViewProps) {
  if (address.period === '90') {
    return (
      <ButtonLink to={paths.businessEdit(businessId)} variant="outline">
        {messages.improve}
      </ButtonLink>
    )
  }
  return (
    <Button variant="outline" onClick={() => onChange({ period: '90' })}>
      {messages.showMore}
    </Button>
  )
}
