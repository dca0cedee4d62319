import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import { bookingsKeys } from '@/features/bookings/api/keys'
import { businessKeys } from '@/features/businesses/api/keys'
import { openingHours } from '@/features/businesses/model/opening-hours'
import type { BusinessSummary } from '@/features/owner/api/dashboard-queries'
import { BusinessPanel } from '@/features/owner/components/business-panel'
import { BusinessTabs } from '@/features/owner/components/business-tabs'
import { dashboardMessages as messages } from '@/features/owner/dashboard-messages'
import { businessParts, readPart } from '@/features/owner/model/business-part'
import { readGroup } from '@/features/reviews/model/group'
import { zoneFrom } from '@/lib/time'

const AvailabilityPanel = lazyPart(
  async () =>
    (await import('@/features/availability/components/availability-panel')).AvailabilityPanel,
)
const ReviewsPanel = lazyPart(
  async () => (await import('@/features/reviews/components/reviews-panel')).ReviewsPanel,
)
const AnalyticsPart = lazyPart(async () => (await import('./dashboard-analytics')).AnalyticsPart)
const MetricsPart = lazyPart(async () => (await import('./dashboard-metrics')).MetricsPart)

const waiting = <Skeleton className="h-150 rounded-panel" />

/**
 * The user's own businesses with their tools (DASH-10 to DASH-13); the URL says which are expanded.
 */
export function BusinessesTab({ userId }: { userId: string }) {
  const [params, setParams] = useSearchParams()
  const set = (more: Record<string, string>) =>
    setParams({ tab: 'businesses', ...more }, { preventScrollReset: true })
  return (
    <BusinessTabs
      userId={userId}
      open={params.get('business')}
      onOpen={(business) => set({ business, part: readPart(params) })}
    >
      {(id) => (
        <BusinessPanel businessId={id}>
          {(business) => <Parts business={business} userId={userId} params={params} onSet={set} />}
        </BusinessPanel>
      )}
    </BusinessTabs>
  )
}

type PartsProps = {
  business: BusinessSummary
  userId: string
  params: URLSearchParams
  onSet: (params: Record<string, string>) => void
}

function Parts({ business: { id, time_zone, hours }, userId, params, onSet }: PartsProps) {
  const client = useQueryClient()
  const business = { businessId: id, zone: zoneFrom(time_zone) }
  const refresh = (key: readonly string[]) => () => void client.invalidateQueries({ queryKey: key })
  const content = {
    metrics: (
      <MetricsPart
        {...business}
        userId={userId}
        params={params}
        onParams={(more) => onSet({ business: id, part: 'metrics', ...more })}
      />
    ),
    availability: (
      <AvailabilityPanel
        {...business}
        hours={openingHours(hours)}
        onSaved={refresh(bookingsKeys.all)}
      />
    ),
    reviews: (
      <ReviewsPanel
        {...business}
        group={readGroup(params.get('reviews'))}
        onGroup={(reviews) => onSet({ business: id, part: 'reviews', reviews })}
        onResponded={refresh(businessKeys.all)}
      />
    ),
    analytics: (
      <AnalyticsPart
        {...business}
        userId={userId}
        params={params}
        onParams={(more) => onSet({ business: id, part: 'analytics', ...more })}
      />
    ),
  }
  return (
    <Tabs
      label={messages.parts}
      value={readPart(params)}
      onChange={(part) => onSet({ business: id, part })}
      tabs={businessParts.map((key) => ({
        key,
        label: messages.part[key],
        content: <Suspense fallback={waiting}>{content[key]}</Suspense>,
      }))}
    />
  )
}
