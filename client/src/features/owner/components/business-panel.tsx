import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { Rating, ratingOf } from '@/components/ui/rating'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { countText } from '@/lib/formats'
import { type BusinessSummary, businessSummaryQuery } from '../api/dashboard-queries'
import { dashboardMessages as messages } from '../dashboard-messages'

type BusinessPanelProps = {
  businessId: string
  children: (business: BusinessSummary) => ReactNode
}

/** A business on the dashboard: its summary, and its tools below (DASH-13). */
export function BusinessPanel({ businessId, children }: BusinessPanelProps) {
  const query = useQuery(businessSummaryQuery(businessId))
  return (
    <QueryState
      query={query}
      errorTitle={messages.summaryFailed}
      pending={
        <SkeletonGroup label={messages.pending} className="grid gap-6">
          <Skeleton className="h-40 rounded-panel sm:h-24" />
          <Skeleton className="h-11 w-60" />
          <Skeleton className="h-96 rounded-panel" />
        </SkeletonGroup>
      }
    >
      {(business) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Summary business={business} />
          {children(business)}
        </div>
      )}
    </QueryState>
  )
}

function Summary({ business }: { business: BusinessSummary }) {
  const rating = ratingOf(business)
  const stats = [
    {
      label: messages.stats.rating,
      value: rating === 0 ? messages.noRating : <Rating value={rating} shape="one" />,
    },
    { label: messages.stats.reviews, value: countText(business.user_ratings_total) },
    { label: messages.stats.ahead, value: countText(business.ahead) },
    { label: messages.stats.waiting, value: countText(business.waiting) },
  ]
  return (
    <dl
      aria-label={messages.summary}
      className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-panel border border-line bg-surface p-4 sm:grid-cols-4 sm:p-5"
    >
      {stats.map(({ label, value }) => (
        <div key={label} className="flex flex-col justify-between gap-1">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="nums text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
