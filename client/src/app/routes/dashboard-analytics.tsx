import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { PlanOffer } from '@/components/plan-offer'
import { Skeleton } from '@/components/ui/skeleton'
import { messages } from '@/features/analytics/messages'
import type { Zone } from '@/lib/time'
import { usePlanLimits } from './use-plan-limits'

const AnalyticsPanel = lazyPart(
  async () => (await import('@/features/analytics/components/analytics-panel')).AnalyticsPanel,
)

const waiting = <Skeleton className="h-150 rounded-panel" />

type AnalyticsPartProps = {
  businessId: string
  zone: Zone
  userId: string
  params: URLSearchParams
  onParams: (params: Record<string, string>) => void
}

/**
 * Analytics for users whose plan includes it (SUB-07, C-44); others see a description. Admins have
 * no tab for their own businesses.
 */
export function AnalyticsPart({ userId, ...panel }: AnalyticsPartProps) {
  const { isPending, has } = usePlanLimits(userId, false)
  if (isPending) return waiting
  if (!has('analytics')) {
    return (
      <PlanOffer title={messages.offerTitle} text={messages.offerText} offer={messages.offer} />
    )
  }
  return (
    <Suspense fallback={waiting}>
      <AnalyticsPanel {...panel} />
    </Suspense>
  )
}
