import { useQuery } from '@tanstack/react-query'
import { Chart } from '@/components/charts/chart'
import { revenueQuery } from '../api/queries'
import { messages } from '../messages'
import { revenueChart } from '../model/chart'
import { sixMonths } from '../model/range'
import { AnalyticsState } from './analytics-state'
import type { ViewProps } from './view-props'

/** The revenue of the last six months, regardless of the selected dates (METRICS-03, C-60). */
export function TrendChart(props: ViewProps) {
  const query = useQuery(revenueQuery(props.businessId, sixMonths(props.today), 'month'))
  return (
    <AnalyticsState {...props} query={query} height="h-100">
      {(months) => (
        <Chart
          kind="line"
          title={messages.trendTitle}
          text={`${messages.trendText} ${messages.revenueHelp}`}
          data={revenueChart(months, 'month')}
        />
      )}
    </AnalyticsState>
  )
}
