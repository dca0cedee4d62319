import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { PlanOffer } from '@/components/plan-offer'
import { Skeleton } from '@/components/ui/skeleton'
import { businessKeys } from '@/features/businesses/api/keys'
import { Promotion } from '@/features/metrics/components/promotion'
import { messages } from '@/features/metrics/messages'
import type { Zone } from '@/lib/time'
import { usePlanLimits } from './use-plan-limits'

const MetricsPanel = lazyPart(
  async () => (await import('@/features/metrics/components/metrics-panel')).MetricsPanel,
)

const waiting = <Skeleton className="h-150 rounded-panel" />

type MetricsPartProps = {
  businessId: string
  zone: Zone
  userId: string
  params: URLSearchParams
  onParams: (params: Record<string, string>) => void
}

/**
 * Business Metrics for users whose plan includes analytics (SUB-07, C-44); others see a
 * description.
 */
export function MetricsPart({ userId, ...panel }: MetricsPartProps) {
  const client = useQueryClient()
  const { isPending, has } = usePlanLimits(userId, false)
  if (isPending) return waiting
  if (!has('analytics')) {
    return (
      <PlanOffer title={messages.offerTitle} text={messages.offerText} offer={messages.offer} />
    )
  }
  return (
    <Suspense fallback={waiting}>
      <MetricsPanel
        {...panel}
        promotion={
          <Promotion
            businessId={panel.businessId}
            isAllowed={has('promoted')}
            onChanged={() => void client.invalidateQueries({ queryKey: businessKeys.all })}
          />
        }
      />
    </Suspense>
  )
}
