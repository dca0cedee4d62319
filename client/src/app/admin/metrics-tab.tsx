import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { BusinessMetricsPanel } from '@/features/admin/components/business-metrics-panel'
import { AllFigures, AllTrends } from '@/features/metrics/components/all-businesses'

const MetricsPanel = lazyPart(
  async () => (await import('@/features/metrics/components/metrics-panel')).MetricsPanel,
)

/** Metrics of all businesses; one is shown as its owner sees it (ADMIN-METRICS-01 to 06). */
export function MetricsTab() {
  const [params, setParams] = useSearchParams()
  return (
    <BusinessMetricsPanel
      figures={(days, onDays) => <AllFigures days={days} onDays={onDays} />}
      trends={(days, onDays) => <AllTrends days={days} onDays={onDays} />}
      details={({ id, zone }) => (
        <Suspense fallback={<Skeleton className="h-150 rounded-panel" />}>
          <MetricsPanel
            businessId={id}
            zone={zone}
            params={params}
            onParams={(shown) => {
              const next = new URLSearchParams(params)
              for (const name of ['view', 'ads', 'days', 'hide']) next.delete(name)
              for (const [name, value] of Object.entries(shown)) next.set(name, value)
              setParams(next, { preventScrollReset: true })
            }}
          />
        </Suspense>
      )}
    />
  )
}
