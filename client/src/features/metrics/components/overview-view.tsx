import { isEmpty } from '../model/day'
import { advertiserSummary, businessSummary, overviewSize } from '../model/metric'
import { Figures } from './figures'
import { MetricsState } from './metrics-state'
import { SummaryTable } from './summary-table'
import type { ViewProps } from './view-props'

/**
 * The first eight figures, and the complete summary of the business and its promotion (METRICS-18,
 * METRICS-19).
 */
export function OverviewView(props: ViewProps) {
  const { range } = props
  return (
    <MetricsState {...props} isEmpty={isEmpty}>
      {(read, shown) => {
        const business = businessSummary.filter((key) => shown.includes(key))
        const advertiser = advertiserSummary.filter((key) => shown.includes(key))
        return (
          <>
            {business.length > 0 && (
              <Figures keys={business.slice(0, overviewSize)} read={read} range={range} />
            )}
            <SummaryTable of="business" keys={business} read={read} range={range} />
            <SummaryTable of="advertiser" keys={advertiser} read={read} range={range} />
          </>
        )
      }}
    </MetricsState>
  )
}
