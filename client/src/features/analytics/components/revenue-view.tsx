import { useQuery } from '@tanstack/react-query'
import { Chart } from '@/components/charts/chart'
import { StatList } from '@/components/stat-list'
import { Segments } from '@/components/ui/segments'
import { countText } from '@/lib/formats'
import { formatMoney } from '@/lib/money'
import { revenueQuery, totalsQuery } from '../api/queries'
import { messages } from '../messages'
import { revenueChart } from '../model/chart'
import { averageOf } from '../model/figures'
import { buckets } from '../model/view'
import { AnalyticsState } from './analytics-state'
import { TrendChart } from './trend-chart'
import type { ViewProps } from './view-props'

/**
 * The revenue of the selected dates by week, month or year, and the trend of the last six months:
 * the requirements name both (METRICS-02, METRICS-03, C-60).
 */
export function RevenueView(props: ViewProps) {
  const totals = useQuery(totalsQuery(props.businessId, props.address.range))
  return (
    <AnalyticsState
      {...props}
      query={totals}
      height="h-200"
      isEmpty={({ current }) => current.bookings === 0}
    >
      {({ current, previous }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <StatList
            label={messages.totals}
            stats={[
              {
                label: messages.revenue,
                current: current.revenue,
                previous: previous.revenue,
                format: formatMoney,
              },
              {
                label: messages.completed,
                current: current.completed,
                previous: previous.completed,
                format: countText,
              },
              {
                label: messages.average,
                current: averageOf(current),
                previous: averageOf(previous),
                format: formatMoney,
              },
            ]}
          />
          <RevenueOfDates {...props} />
          <TrendChart {...props} />
        </div>
      )}
    </AnalyticsState>
  )
}

function RevenueOfDates(props: ViewProps) {
  const { businessId, address, onChange } = props
  const query = useQuery(revenueQuery(businessId, address.range, address.bucket))
  return (
    <AnalyticsState {...props} query={query} height="h-100">
      {(periods) => (
        <Chart
          kind="columns"
          title={messages.inDates}
          text={messages.revenueHelp}
          data={revenueChart(periods, address.bucket)}
          actions={
            <Segments
              label={messages.buckets}
              options={buckets.map((key) => ({ key, label: messages.bucket[key] }))}
              value={address.bucket}
              onChange={(bucket) => onChange({ bucket })}
            />
          }
        />
      )}
    </AnalyticsState>
  )
}
