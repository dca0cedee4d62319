import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Widget } from '@/components/widget'
import { countText } from '@/lib/formats'
import { paths } from '@/lib/paths'
import { totalsQuery } from '../api/totals'
import { overviewMessages as messages } from '../overview-messages'

const kinds = ['users', 'businesses', 'bookings'] as const
const row = 'grid grid-cols-3 gap-4'

/** The totals of the marketplace, and a link to the panel (DASH-09, C-18). */
export function OverviewCard() {
  const query = useQuery(totalsQuery)
  return (
    <Widget
      title={messages.title}
      action={<ButtonLink to={paths.admin}>{messages.open}</ButtonLink>}
    >
      <QueryState
        query={query}
        errorTitle={messages.failed}
        pending={
          <SkeletonGroup label={messages.pending} className={row}>
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
          </SkeletonGroup>
        }
      >
        {(totals) => (
          <dl className={row}>
            {kinds.map((kind) => (
              <div key={kind} className="grid content-start">
                <dt className="text-sm text-muted">{messages.totals[kind]}</dt>
                <dd className="nums font-display text-2xl">{countText(totals[kind])}</dd>
              </div>
            ))}
          </dl>
        )}
      </QueryState>
    </Widget>
  )
}
