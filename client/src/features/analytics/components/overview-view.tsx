import { useQuery } from '@tanstack/react-query'
import { StatList } from '@/components/stat-list'
import { countText } from '@/lib/formats'
import { formatMoney } from '@/lib/money'
import { totalsQuery } from '../api/queries'
import { messages } from '../messages'
import { percentOf } from '../model/figures'
import { percentText } from '../model/words'
import { AnalyticsState } from './analytics-state'
import { Standouts } from './standouts'
import { TrendChart } from './trend-chart'
import type { ViewProps } from './view-props'

/** The totals compared with the previous period, the trend, and the highlights. */
export function OverviewView(props: ViewProps) {
  const { businessId, address } = props
  const query = useQuery(totalsQuery(businessId, address.range))
  return (
    <AnalyticsState
      {...props}
      query={query}
      height="h-200"
      isEmpty={({ current }) => current.bookings === 0}
    >
      {({ current, previous }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <StatList
            label={messages.totals}
            stats={[
              {
                label: messages.bookings,
                current: current.bookings,
                previous: previous.bookings,
                format: countText,
              },
              {
                label: messages.revenue,
                current: current.revenue,
                previous: previous.revenue,
                format: formatMoney,
              },
              {
                label: messages.completionRate,
                current: percentOf(current.completed, current.bookings),
                previous: percentOf(previous.completed, previous.bookings),
                format: percentText,
              },
              {
                label: messages.cancelled,
                current: current.cancelled,
                previous: previous.cancelled,
                format: countText,
              },
            ]}
          />
          <Standouts {...props} />
          <TrendChart {...props} />
        </div>
      )}
    </AnalyticsState>
  )
}
