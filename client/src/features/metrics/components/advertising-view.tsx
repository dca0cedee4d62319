import { Tabs } from '@/components/ui/tabs'
import { messages } from '../messages'
import type { MetricKey } from '../model/metric'
import { type AdView, adViews } from '../model/view'
import { DayFigures, Figures, TrendLines } from './figures'
import { MetricsState } from './metrics-state'
import type { ViewProps } from './view-props'

/** The promotion of a business and its results (METRICS-16). */
export function AdvertisingView(props: ViewProps) {
  const { address, onChange, promotion } = props
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {promotion}
      <Tabs
        label={messages.adViews}
        value={address.adView}
        onChange={(adView) => onChange({ adView })}
        tabs={adViews.map((key) => ({
          key,
          label: messages.adView[key],
          content: <AdFigures {...props} view={key} />,
        }))}
      />
    </div>
  )
}

type DrawnChart = { kind: 'line' | 'columns'; title: string; keys: readonly MetricKey[] }

const line = (key: MetricKey): DrawnChart => ({
  kind: 'line',
  title: messages.metric[key],
  keys: [key],
})

const charts: Record<Exclude<AdView, 'trends'>, readonly DrawnChart[]> = {
  overview: [],
  // Separate charts: clicks would be a flat line below impressions.
  performance: [line('impressions'), line('clicks')],
  cost: [line('adCost')],
  leads: [
    {
      kind: 'columns',
      title: messages.byDay.leads,
      keys: ['adCalls', 'adReservations', 'adMessages'],
    },
  ],
}

function AdFigures({ view, ...props }: ViewProps & { view: AdView }) {
  const { range } = props
  return (
    <MetricsState
      {...props}
      isEmpty={({ advertiser }) => advertiser.length === 0}
      emptyTitle={messages.emptyAds}
      emptyText={messages.emptyAdsText}
    >
      {(read, shown) =>
        view === 'trends' ? (
          <TrendLines keys={shown} read={read} range={range} />
        ) : (
          <>
            <Figures keys={shown} read={read} range={range} />
            {charts[view].map((chart) => (
              <DayFigures
                key={chart.title}
                {...chart}
                keys={chart.keys.filter((key) => shown.includes(key))}
                read={read}
                range={range}
              />
            ))}
          </>
        )
      }
    </MetricsState>
  )
}
