import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { type MeasuredBusiness, measuredBusinessQuery } from '../api/business-metrics'
import { messages } from '../messages'
import { metricsMessages as texts } from '../metrics-messages'
import { BackLink } from './back-link'

type MetricsOfBusinessProps = {
  id: string
  /** The address of the list from which it was opened. */
  back: string
  details: (business: MeasuredBusiness) => ReactNode
}

/** The detailed metrics of a business, with a way back (ADMIN-METRICS-04). */
export function MetricsOfBusiness({ id, back, details }: MetricsOfBusinessProps) {
  const query = useQuery(measuredBusinessQuery(id))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to={back} text={texts.back} />
      <QueryState
        query={query}
        errorTitle={texts.openFailed}
        pending={
          <SkeletonGroup label={texts.opening} className="grid gap-5">
            <Skeleton className="h-14" />
            <Skeleton className="h-100 rounded-panel" />
          </SkeletonGroup>
        }
      >
        {(business) =>
          business === null ? (
            <EmptyState title={texts.gone} />
          ) : (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
              <Header business={business} />
              {details(business)}
            </div>
          )
        }
      </QueryState>
    </div>
  )
}

function Header({ business: { id, name, display_id, owner } }: { business: MeasuredBusiness }) {
  const ownerText = owner
    ? `${texts.owner}: ${owner.full_name ?? messages.users.unnamed}`
    : messages.businesses.noOwner
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="grid min-w-0 gap-1">
        <h2 className="text-xl [overflow-wrap:anywhere]">{name}</h2>
        <p className="nums text-sm text-muted">
          {display_id} · {ownerText}
        </p>
      </div>
      <ButtonLink to={paths.business(id)} variant="outline">
        {texts.view}
      </ButtonLink>
    </div>
  )
}
